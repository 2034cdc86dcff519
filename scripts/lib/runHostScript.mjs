import { spawn } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureDependencies } from './dependencies.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..', '..');

/**
 * Installs what is missing, then runs `scripts/host/<name>` with the Node.js of the project's own
 * dependencies, with this process's arguments, and ends as that script ends.
 *
 * @param {string} name the script's file name
 */
export function runHostScript(name) {
	const child = spawn(
		'node',
		[path.join(root, 'scripts', 'host', name), ...process.argv.slice(2)],
		{
			cwd: root,
			stdio: 'inherit',
			env: { ...process.env, PATH: `${bin()}${path.delimiter}${process.env.PATH ?? ''}` },
		},
	);
	// The script decides when it is done; a signal that it receives twice means the same as once.
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
		process.on(signal, () => child.kill(signal));
	}
	child.on('error', (error) => {
		console.error(error.message);
		process.exitCode = 1;
	});
	child.on('exit', (code, signal) => {
		process.exitCode = code ?? (signal === 'SIGINT' ? 130 : 1);
	});
}

function bin() {
	try {
		return ensureDependencies(root);
	} catch (error) {
		console.error(error instanceof Error ? error.message : error);
		process.exit(1);
	}
}
