import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';

import { afterEach, describe, expect, test } from 'vitest';

import { openSession } from '../../src/mcp/openSession';
import type { McpSession } from '../../src/call/session';
import { http, stdio, valueOf, temporaryFolder } from '../support/connections';

const packages = resolve(import.meta.dirname, '../../node_modules/@modelcontextprotocol');
const everything = join(packages, 'server-everything/dist/index.js');
const filesystem = join(packages, 'server-filesystem/dist/index.js');

const open = openSession({ env: { PATH: process.env['PATH'], SALVOR_STDIO_COMMANDS: '*' } });
const endings: (() => Promise<unknown>)[] = [];

afterEach(async () => {
	for (const end of endings.splice(0).reverse()) await end();
});

async function opened(settings: Parameters<typeof open>[0]): Promise<McpSession> {
	const session = valueOf(await open(settings));
	endings.push(() => session.close());
	return session;
}

async function freePort(): Promise<number> {
	const server = createServer().listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	server.close();
	await once(server, 'close');
	return port;
}

async function startEverything(): Promise<string> {
	const port = await freePort();
	const child = spawn(process.execPath, [everything, 'streamableHttp'], {
		env: { PATH: process.env['PATH'], PORT: String(port) },
		stdio: ['ignore', 'ignore', 'pipe'],
	});
	endings.push(async () => {
		child.kill('SIGKILL');
		if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
	});
	let said = '';
	for await (const chunk of child.stderr as AsyncIterable<Buffer>) {
		said += chunk.toString();
		if (said.includes('listening')) break;
	}
	return `http://127.0.0.1:${String(port)}/mcp`;
}

async function usesEverything(session: McpSession): Promise<void> {
	const tools = valueOf(await session.listTools());
	expect(tools.map(({ name }) => name)).toContain('echo');
	expect(tools.flatMap(({ problems }) => problems)).toEqual([]);
	const echo = await session.callTool({ name: 'echo', arguments: { message: 'hello' } });
	expect(valueOf(echo)['content']).toEqual([{ type: 'text', text: 'Echo: hello' }]);
	const progress = await session.callTool({
		name: 'trigger-long-running-operation',
		arguments: { duration: 3, steps: 6 },
	});
	expect(progress.ok).toBe(true);
}

describe('server-everything', () => {
	test('over stdio, progress resets the idle limit (C3)', async () => {
		const limits = { requestTimeoutMs: 2_500 };
		await usesEverything(await opened(stdio({ arguments: [everything, 'stdio'] }, limits)));
	});

	test.each(['stdio', 'streamable HTTP'])(
		'over %s it asks in the middle of a call, and gets presets that fit its schema (C12)',
		async (transport) => {
			const endpoint = transport === 'stdio' ? undefined : await startEverything();
			const answers = async (presetAnswers: Readonly<Record<string, unknown>>) => {
				const limits = { presetAnswers };
				const session = await opened(
					endpoint === undefined
						? stdio({ arguments: [everything, 'stdio'] }, limits)
						: http(endpoint, {}, limits),
				);
				const asking = { name: 'trigger-elicitation-request', arguments: {} };
				const { content } = valueOf(await session.callTool(asking));
				return JSON.stringify(content);
			};
			const fits = { name: 'Ada', integer: 7, titledSingleSelectEnum: 'hero-2', other: 1 };
			const given = await answers(fits);
			expect(given).toContain('- Name: Ada\\n- Favorite Integer: 7');
			expect(given).not.toContain('other');
			expect(await answers({ ...fits, integer: 101 })).toContain('User declined');
			expect(await answers({ integer: 7 })).toContain('User declined');
		},
	);

	test('without presets it does not even list the tool that asks (C12)', async () => {
		const session = await opened(stdio({ arguments: [everything, 'stdio'] }));
		const names = valueOf(await session.listTools()).map(({ name }) => name);
		expect(names).not.toContain('trigger-elicitation-request');
	});

	test('over streamable HTTP, progress resets the idle limit (C3)', async () => {
		await usesEverything(
			await opened(http(await startEverything(), {}, { requestTimeoutMs: 2_500 })),
		);
	});
});

test('server-filesystem reads a file and refuses to leave its directory', async () => {
	const place = temporaryFolder();
	const file = join(place, 'a file.txt');
	writeFileSync(file, 'its content');
	const session = await opened(stdio({ arguments: [filesystem, place] }));
	expect(valueOf(await session.listTools()).length).toBeGreaterThan(5);
	const read = (path: string) => session.callTool({ name: 'read_text_file', arguments: { path } });
	expect(valueOf(await read(file))).toMatchObject({
		content: [{ type: 'text', text: 'its content' }],
	});
	expect(valueOf(await read('/etc/hostname'))).toMatchObject({ isError: true });
});
