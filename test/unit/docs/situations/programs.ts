import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { StdioSettings } from '../../../../src/call/connectionSettings';
import { openSession } from '../../../../src/mcp/openSession';
import { failureTitle } from '../../../../src/n8n/failureText';
import { failureOf, stdio, temporaryFolder, valueOf } from '../../../support/connections';
import type { Situations } from './situations';

const starting = async (
	settings: Partial<StdioSettings>,
	SALVOR_STDIO_COMMANDS = '*',
): Promise<string> => {
	const open = openSession({ env: { ...process.env, SALVOR_STDIO_COMMANDS } });
	return failureTitle(failureOf(await open(stdio(settings))));
};

/** Calls one tool after the other of a peer; gives what the last one came to. */
async function calling(...names: readonly string[]): Promise<string> {
	const open = openSession({ env: { ...process.env, SALVOR_STDIO_COMMANDS: '*' } });
	const session = valueOf(await open(stdio()));
	try {
		let title = '';
		for (const name of names) {
			const args = name === 'error' ? { code: -32602 } : {};
			title = failureTitle(failureOf(await session.callTool({ name, arguments: args })));
		}
		return title;
	} finally {
		await session.close();
	}
}

/** A program that is there, but whose interpreter is not. */
function withoutInterpreter(): string {
	const path = join(temporaryFolder(), 'server');
	writeFileSync(path, '#!/nowhere/python\n', { mode: 0o755 });
	return path;
}

const node = process.execPath;

export const programs: Situations = {
	'stdio is not allowed at all': () => starting({}, ''),
	'another program is allowed': () => starting({}, 'npx'),
	'other leading arguments are allowed': () => starting({ arguments: ['-e'] }, `"${node}" -p`),
	'an open quote in the list': () => starting({}, '"npx'),
	'a row that loads code': () =>
		starting({ environment: [{ name: 'NODE_OPTIONS', value: '-r x' }] }, `"${node}"`),
	'a name that is not on PATH': () => starting({ command: 'salvor-no-such-program' }),
	'a path that leads nowhere': () => starting({ command: '/nowhere/server' }),
	'a working directory that is none': () => starting({ workingDirectory: '/nowhere' }),
	'no interpreter': () => starting({ command: withoutInterpreter(), arguments: [] }),
	'a program that gives up at once': () => starting({ arguments: ['-e', 'process.exit(3)'] }),
	'a program that dies in a call': () => calling('die'),
	'a program that died before': () => calling('die', 'pid'),
	'a result that is none': () => calling('unreadable'),
	'an error frame for a call': () => calling('error'),
};
