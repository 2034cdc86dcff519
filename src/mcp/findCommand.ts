import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';

export interface CommandSearch {
	/** Absolute path of the program; undefined if there is none. */
	readonly path: string | undefined;
	/** Directories of PATH that were searched; empty when the command is a path itself. */
	readonly searched: readonly string[];
}

/**
 * Looks a command up as n8n's own process would: a name on n8n's PATH, a path as it stands (relative to `base`).
 * Environment rows of the connection play no part (C8).
 */
export function findCommand(command: string, env: NodeJS.ProcessEnv, base: string): CommandSearch {
	if (command === '') return { path: undefined, searched: [] };
	if (command.includes('/') || (process.platform === 'win32' && command.includes('\\')))
		return { path: firstProgram(resolve(base, command), env), searched: [] };
	const searched = (env['PATH'] ?? env['Path'] ?? '')
		.split(delimiter)
		.filter((directory) => directory !== '');
	for (const directory of searched) {
		const path = firstProgram(resolve(join(directory, command)), env);
		if (path !== undefined) return { path, searched };
	}
	return { path: undefined, searched };
}

function firstProgram(path: string, env: NodeJS.ProcessEnv): string | undefined {
	const endings =
		process.platform === 'win32' ? ['', ...(env['PATHEXT'] ?? '.EXE;.CMD;.BAT').split(';')] : [''];
	return endings.map((ending) => path + ending).find(isProgram);
}

function isProgram(path: string): boolean {
	try {
		accessSync(path, constants.X_OK);
		return statSync(path).isFile();
	} catch {
		return false;
	}
}
