import type { NamedValue, StdioSettings } from '../call/connectionSettings';
import { fail, succeed, type Failure, type Result } from '../outcome/failure';

/** The operator's list as the environment variable states it (C8). */
export type CommandList =
	| { readonly kind: 'unset' }
	| { readonly kind: 'everything' }
	| { readonly kind: 'listed'; readonly entries: readonly CommandEntry[] }
	| { readonly kind: 'malformed' };

export interface CommandEntry {
	readonly command: string;
	/** Arguments that must come first, exactly; what follows them is free. */
	readonly leading: readonly string[];
}

export const commandListVariable = 'SALVOR_STDIO_COMMANDS';

/**
 * Reads the list: `*`, or entries separated by `;` or line breaks, their tokens separated by blanks;
 * double quotes group a token with blanks. Unset and blank mean that nothing is allowed (C8).
 */
export function parseCommandList(text: string | undefined): CommandList {
	if (text === undefined || text.trim() === '') return { kind: 'unset' };
	if (text.trim() === '*') return { kind: 'everything' };
	const entries: (readonly string[])[] = [];
	let tokens: string[] = [];
	let token: string | undefined;
	let quoted = false;
	const endToken = (): void => {
		if (token !== undefined) tokens.push(token);
		token = undefined;
	};
	const endEntry = (): void => {
		endToken();
		if (tokens.length > 0) entries.push(tokens);
		tokens = [];
	};
	for (const character of text) {
		if (character === '"') {
			quoted = !quoted;
			token ??= '';
		} else if (quoted) token = (token ?? '') + character;
		else if (character === ';' || character === '\n') endEntry();
		else if (/\s/.test(character)) endToken();
		else token = (token ?? '') + character;
	}
	if (quoted) return { kind: 'malformed' };
	endEntry();
	return {
		kind: 'listed',
		entries: entries.map(([command = '', ...leading]) => ({ command, leading })),
	};
}

/** A list entry together with where its command was found; undefined if nowhere. */
export interface ResolvedEntry extends CommandEntry {
	readonly path: string | undefined;
}

/** Refuses what can be refused before any look-up: the variable is unset or unreadable. */
export function checkListIsUsable(list: CommandList, command: string): Result<void> {
	switch (list.kind) {
		case 'unset':
			return fail(
				refusal(
					`Starting the command "${command}" is switched off on this n8n: the environment variable ${commandListVariable} is not set.`,
					`Whoever operates n8n can allow it by setting ${commandListVariable} to ${quoteToken(command)}, followed by the leading arguments that must match.`,
				),
			);
		case 'malformed':
			return fail(
				refusal(
					`The environment variable ${commandListVariable} has a double quote that is not closed, so it allows no command.`,
					`Close the quote in ${commandListVariable} in n8n's environment.`,
				),
			);
		case 'everything':
		case 'listed':
			return succeed(undefined);
	}
}

/**
 * Decides whether the resolved command may start with these settings (C8). An entry allows exactly its own resolved
 * path and its leading arguments; environment rows that change which code a program loads are refused by name.
 */
export function allowCommand(
	entries: readonly ResolvedEntry[],
	path: string,
	settings: StdioSettings,
): Result<void> {
	const detour = settings.environment.find(changesLoadedCode);
	const sameCommand = entries.filter((entry) => entry.path === path);
	const allowed = sameCommand.some((entry) =>
		entry.leading.every((argument, index) => settings.arguments[index] === argument),
	);
	if (!allowed) {
		const why =
			sameCommand.length > 0 ? 'lists it only with other leading arguments' : 'does not list it';
		return fail(
			refusal(
				`The command "${settings.command}" may not be started: ${commandListVariable} in n8n's environment ${why}.`,
				`Whoever operates n8n can allow it by adding ${quoteToken(settings.command)}, with the leading arguments that must match, to ${commandListVariable}.`,
			),
		);
	}
	if (detour !== undefined) {
		return fail(
			refusal(
				`The environment row "${detour.name}" is refused: it changes which code "${settings.command}" loads, and ${commandListVariable} allows listed commands only.`,
				`Remove the row "${detour.name}" from the connection.`,
			),
		);
	}
	return succeed(undefined);
}

const detourNames = new Set([
	'PATH',
	'PATHEXT',
	'COMSPEC',
	'HOME',
	'USERPROFILE',
	'APPDATA',
	'ENV',
	'BASH_ENV',
	'SHELLOPTS',
	'BASHOPTS',
	'IFS',
	'PS4',
	'PROMPT_COMMAND',
	'GCONV_PATH',
	'PERL5OPT',
	'PERL5LIB',
	'PERLLIB',
	'PERL5DB',
	'RUBYOPT',
	'RUBYLIB',
	'CLASSPATH',
	'JAVA_TOOL_OPTIONS',
	'_JAVA_OPTIONS',
	'JDK_JAVA_OPTIONS',
	'JAVA_OPTS',
	'PHPRC',
	'PHP_INI_SCAN_DIR',
	'LUA_PATH',
	'LUA_CPATH',
	'LUA_INIT',
	'OPENSSL_CONF',
	'DOCKER_HOST',
	'DOCKER_CONFIG',
]);

/** Whole families: a program or its package manager reads each of them to find or preload code. */
const detourPrefixes = [
	'LD_',
	'DYLD_',
	'NPM_CONFIG_',
	'YARN_',
	'PNPM_',
	'COREPACK_',
	'BUN_',
	'DENO_',
	'PYTHON',
	'PIP_',
	'UV_',
	'PIPX_',
	'GEM_',
	'BUNDLE_',
	'XDG_',
	'DOTNET_',
	'CORECLR_',
	'GIT_',
	'BASH_FUNC_',
];

/** NODE_ settings that load nothing. */
const harmlessNodeNames = new Set(['NODE_ENV', 'NODE_DEBUG', 'NODE_NO_WARNINGS', 'NODE_TZ']);

function changesLoadedCode(row: NamedValue): boolean {
	const name = row.name.toUpperCase();
	if (name.startsWith('NODE_')) return !harmlessNodeNames.has(name);
	return detourNames.has(name) || detourPrefixes.some((prefix) => name.startsWith(prefix));
}

const quoteToken = (token: string): string => (/[\s;]/.test(token) ? `"${token}"` : token);

const refusal = (message: string, remedy: string): Failure => ({
	code: 'spawn-failed',
	disposition: 'did-not-happen',
	stage: 'spawn',
	message,
	remedy,
});
