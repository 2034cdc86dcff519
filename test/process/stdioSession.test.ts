import { readFileSync, writeFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { spawn } from 'node:child_process';
import { once } from 'node:events';

import { afterEach, describe, expect, test, vi } from 'vitest';

import { openSession } from '../../src/mcp/openSession';
import type { McpSession, Progress } from '../../src/call/session';
import {
	failureOf,
	isRunning,
	stdio,
	stdioPeerPath,
	textJson,
	valueOf,
	temporaryFolder,
} from '../support/connections';

const open = openSession({ env: { ...process.env, SALVOR_STDIO_COMMANDS: '*' } });
const { version: packageVersion } = JSON.parse(
	readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'),
) as { version: string };
const sessions: McpSession[] = [];

async function opened(...settings: Parameters<typeof stdio>): Promise<McpSession> {
	const session = valueOf(await open(stdio(...settings)));
	sessions.push(session);
	return session;
}

const call = (name: string, args: Record<string, unknown> = {}) => ({ name, arguments: args });

afterEach(async () => {
	await Promise.all(sessions.splice(0).map((session) => session.close()));
});

describe('a child that behaves', () => {
	test('is initialised and tells who it is', async () => {
		const session = await opened();
		expect(session.server).toEqual({ name: 'stdio peer', version: '1.2.3' });
		expect(session.protocolVersion).toBe('2025-11-25');
		expect(session.isOpen()).toBe(true);
	});

	test('is offered no capability, elicitation least of all (C12)', async () => {
		const session = await opened();
		const [first] = textJson(valueOf(await session.callTool(call('seen')))) as {
			params: unknown;
		}[];
		expect(first?.params).toMatchObject({
			capabilities: {},
			clientInfo: { name: 'n8n-nodes-salvor', version: packageVersion },
		});
	});

	test('gets its arguments literally, one row each, no shell (C1)', async () => {
		const rows = ['a b', 'x=y,z', '{"j":1}', '$HOME', '"q\' `id`', ''];
		const session = await opened({ arguments: [stdioPeerPath, ...rows] });
		expect(textJson(valueOf(await session.callTool(call('argv'))))).toEqual(rows);
	});

	test('gets the rows literally, the basics, and nothing else of the environment (C1, C7, U9)', async () => {
		const env = {
			PATH: process.env['PATH'],
			HOME: '/home/someone',
			LC_ALL: 'C.UTF-8',
			https_proxy: 'http://127.0.0.1:9',
			NODE_EXTRA_CA_CERTS: '',
			SSL_CERT_FILE: '/ca.pem',
			N8N_ENCRYPTION_KEY: 'stays behind',
			SALVOR_STDIO_COMMANDS: '*',
		};
		const environment = [
			{ name: 'A_ROW', value: ' a b,x=y {"j":1} ' },
			{ name: 'HOME', value: '/row' },
		];
		const session = valueOf(await openSession({ env })(stdio({ environment })));
		sessions.push(session);
		expect(textJson(valueOf(await session.callTool(call('env'))))).toEqual({
			PATH: process.env['PATH'],
			HOME: '/row',
			LC_ALL: 'C.UTF-8',
			https_proxy: 'http://127.0.0.1:9',
			NODE_EXTRA_CA_CERTS: '',
			SSL_CERT_FILE: '/ca.pem',
			A_ROW: ' a b,x=y {"j":1} ',
		});
	});

	test('runs in the working directory', async () => {
		const session = await opened({ workingDirectory: '/' });
		expect(textJson(valueOf(await session.callTool(call('cwd'))))).toBe('/');
	});

	test('may make noise on stdout without harm (C7)', async () => {
		const session = await opened({ arguments: [stdioPeerPath, '--noise'] });
		expect(valueOf(await session.listTools()).length).toBeGreaterThan(3);
	});

	test('may print brackets without end, which are noise and break nothing', async () => {
		const session = await opened();
		const result = await session.callTool(call('nested', { levels: 200_000 }));
		expect(textJson(valueOf(result))).toBe('after the brackets');
	});

	test('may keep a call alive beyond the idle limit by progress (C3)', async () => {
		const session = await opened({}, { requestTimeoutMs: 1_000 });
		const result = await session.callTool(call('progress', { steps: 8, everyMs: 200 }));
		expect(textJson(valueOf(result))).toBe('done');
	});

	test('is heard of while it runs, without secrets and at no great length (C3, I9)', async () => {
		const environment = [{ name: 'PEER_KEY', value: 'hunter2-hunter2' }];
		const session = await opened({ environment });
		const told: Progress[] = [];
		const message = `with hunter2-hunter2 ${'x'.repeat(500)}`;
		const more = { total: 3, message };
		const result = await session.callTool({
			...call('progress', { steps: 3, everyMs: 1, more }),
			onProgress: (progress) => told.push(progress),
		});
		expect(textJson(valueOf(result))).toBe('done');
		const shown = `with *** ${'x'.repeat(191)}`;
		expect(told).toEqual([1, 2, 3].map((progress) => ({ progress, total: 3, message: shown })));
	});

	test('has its answer read although it exits right after it', async () => {
		const session = await opened();
		expect(textJson(valueOf(await session.callTool(call('last-answer'))))).toBe('done');
	});
});

describe('a call that fails', () => {
	test('is in doubt at once when the child dies, with exit code and last words, secrets blanked', async () => {
		const session = await opened({
			arguments: [stdioPeerPath, '--noise'],
			environment: [{ name: 'PEER_KEY', value: 'hunter2-hunter2' }],
		});
		const failure = failureOf(await session.callTool(call('die')));
		expect(failure).toMatchObject({
			code: 'connection-lost',
			disposition: 'in-doubt',
			stage: 'call',
			evidence: { command: `"${process.execPath}" (2 arguments)` },
		});
		expect(failure.message).toContain('exit code 3');
		expect(failure.evidence?.stderr).toContain('last words, the key is ***');
		expect(failure.evidence?.stderr).toContain('stdout: Welcome to the noisy server!');
		expect(JSON.stringify(failure)).not.toContain('hunter2');
		expect(session.isOpen()).toBe(false);
	});

	test('shows the last lines of stderr, and no more of each than fits, however much was written (C7)', async () => {
		const script = `
			for (let line = 0; line < 20_000; line += 1) console.error('line', line, 'x'.repeat(1_000));
			console.error('y'.repeat(1_000_000));
			process.stderr.write('the last', () => process.exit(1));
		`;
		const failure = failureOf(await open(stdio({ arguments: ['-e', script] })));
		const lines = failure.evidence?.stderr?.split('\n') ?? [];
		expect(lines).toHaveLength(10);
		expect(lines[7]).toMatch(/^line 19999 x{400,}$/);
		expect(lines[8]).toMatch(/^y+$/);
		expect(lines[9]).toBe('the last');
		expect(Math.max(...lines.map(({ length }) => length))).toBe(500);
	});

	test('names the signal that ended the child', async () => {
		const session = await opened();
		const failure = failureOf(await session.callTool(call('killed')));
		expect(failure.code).toBe('connection-lost');
		expect(failure.message).toContain('SIGKILL');
	});

	test('did not happen when the child was gone before', async () => {
		const session = await opened();
		await session.callTool(call('die'));
		expect(failureOf(await session.callTool(call('argv')))).toMatchObject({
			code: 'connection-lost',
			disposition: 'did-not-happen',
		});
	});

	test('is in doubt after the idle limit, and names the field (C3)', async () => {
		const session = await opened({}, { requestTimeoutMs: 300 });
		const failure = failureOf(await session.callTool(call('hang')));
		expect(failure).toMatchObject({ code: 'timed-out', disposition: 'in-doubt', stage: 'call' });
		expect(failure.message).toContain('0.3 s, the Request Timeout');
	});

	test('is in doubt after the hard limit, whatever progress comes (C3)', async () => {
		const session = await opened({}, { maxDurationMs: 600 });
		const failure = failureOf(
			await session.callTool(call('progress', { steps: 1_000, everyMs: 50 })),
		);
		expect(failure).toMatchObject({ code: 'timed-out', disposition: 'in-doubt' });
		expect(failure.message).toContain('0.6 s, the Maximum Duration');
	});

	test('is cancelled on the wire when the execution is (C10)', async () => {
		const session = await opened();
		const cancel = new AbortController();
		const pending = session.callTool(call('hang'), cancel.signal);
		await session.callTool(call('argv'));
		cancel.abort('stopped');
		expect(failureOf(await pending)).toMatchObject({
			code: 'cancelled',
			disposition: 'in-doubt',
			remedy:
				'Find out what the call did before calling again. Look up at the server whether it happened.',
		});
		const seen = textJson(valueOf(await session.callTool(call('seen')))) as {
			id?: number;
			method: string;
			params?: { name?: string; requestId?: number };
		}[];
		const hanging = seen.find(({ params }) => params?.name === 'hang');
		const cancelled = seen.find(({ method }) => method === 'notifications/cancelled');
		expect(cancelled?.params?.requestId).toBe(hanging?.id);
	});

	test('did not happen when the execution was cancelled before', async () => {
		const session = await opened();
		const failure = failureOf(await session.callTool(call('argv'), AbortSignal.abort('early')));
		expect(failure).toMatchObject({
			code: 'cancelled',
			disposition: 'did-not-happen',
			remedy: 'Run the workflow again if this was not intended.',
		});
	});

	test('is in doubt when the answer outgrows the cap (C6)', async () => {
		const env = { ...process.env, SALVOR_STDIO_COMMANDS: '*', SALVOR_MAX_RESPONSE_MB: '1' };
		const session = valueOf(await openSession({ env })(stdio()));
		sessions.push(session);
		const failure = failureOf(await session.callTool(call('huge', { bytes: 2_000_000 })));
		expect(failure).toMatchObject({ code: 'connection-lost', disposition: 'in-doubt' });
		expect(failure.message).toContain('larger than 1 MiB');
		expect(failure.evidence?.stderr).toContain('a line longer than 1048576 bytes');
	});

	test('for its length costs no other call its answer (C9)', async () => {
		const env = { ...process.env, SALVOR_STDIO_COMMANDS: '*', SALVOR_MAX_RESPONSE_MB: '1' };
		const session = valueOf(await openSession({ env })(stdio()));
		sessions.push(session);
		const other = session.callTool(call('echo', { value: 'mine', of: 2 }));
		expect(failureOf(await session.callTool(call('huge', { bytes: 2_000_000 }))).code).toBe(
			'connection-lost',
		);
		await session.callTool(call('echo', { value: 'last', of: 2 }));
		expect(textJson(valueOf(await other))).toBe('mine');
	});

	test('for its length, and nobody can tell which, leaves all in doubt', async () => {
		const env = { ...process.env, SALVOR_STDIO_COMMANDS: '*', SALVOR_MAX_RESPONSE_MB: '1' };
		const session = valueOf(await openSession({ env })(stdio()));
		sessions.push(session);
		const other = session.callTool(call('hang'));
		const text = `${'x'.repeat(2_000_000)}\n`;
		await session.callTool(call('write', { text }));
		expect(failureOf(await other)).toMatchObject({ disposition: 'in-doubt' });
		expect(session.isOpen()).toBe(false);
	});
});

test('a large answer below the cap comes whole', async () => {
	const session = await opened();
	const result = valueOf(await session.callTool(call('huge', { bytes: 12_000_000 })));
	expect((textJson(result) as string).length).toBe(12_000_000);
});

describe('opening fails', () => {
	test('with the last words of a child that exits before it initialises', async () => {
		const failure = failureOf(
			await open(stdio({ arguments: [stdioPeerPath, '--exit-at-start', '7'] })),
		);
		expect(failure).toMatchObject({
			code: 'spawn-failed',
			disposition: 'did-not-happen',
			stage: 'spawn',
			evidence: { stderr: 'cannot start: the licence is missing' },
		});
		expect(failure.message).toContain('exit code 7');
	});

	test('naming the command and the searched directories when it is not there', async () => {
		const env = { PATH: '/nowhere:/usr/bin', SALVOR_STDIO_COMMANDS: '*' };
		const failure = failureOf(await openSession({ env })(stdio({ command: 'no-such-program' })));
		expect(failure).toMatchObject({
			code: 'spawn-failed',
			disposition: 'did-not-happen',
			stage: 'spawn',
			evidence: { searched: ['/nowhere', '/usr/bin'] },
		});
		expect(failure.message).toContain('"no-such-program"');
		expect(failure.remedy).toContain('where n8n runs');
	});

	test('naming the field when the working directory is none', async () => {
		const failure = failureOf(await open(stdio({ workingDirectory: '/no/such/place' })));
		expect(failure.code).toBe('spawn-failed');
		expect(failure.message).toContain('Working Directory');
	});

	test('when the interpreter of the program is missing', async () => {
		const script = join(temporaryFolder(), 'server');
		writeFileSync(script, '#!/no/such/interpreter\n', { mode: 0o755 });
		const failure = failureOf(await open(stdio({ command: script, arguments: [] })));
		expect(failure).toMatchObject({ code: 'spawn-failed', disposition: 'did-not-happen' });
		expect(failure.message).toContain('ENOENT');
	});

	test('after the idle limit when the child never answers, and the child is gone', async () => {
		const failure = failureOf(
			await open(stdio({ arguments: [stdioPeerPath, '--hang'] }, { requestTimeoutMs: 400 })),
		);
		expect(failure).toMatchObject({
			code: 'timed-out',
			disposition: 'did-not-happen',
			stage: 'initialise',
		});
	});

	test('as cancelled when the execution is cancelled meanwhile', async () => {
		const cancel = new AbortController();
		const pending = open(stdio({ arguments: [stdioPeerPath, '--hang'] }), cancel.signal);
		cancel.abort();
		expect(failureOf(await pending)).toMatchObject({
			code: 'cancelled',
			disposition: 'did-not-happen',
		});
	});
});

describe('ending', () => {
	test('kills a child that survives the end of stdin and SIGTERM (C7)', async () => {
		const session = await opened({ arguments: [stdioPeerPath, '--deaf'] });
		const pid = textJson(valueOf(await session.callTool(call('pid')))) as number;
		await session.close();
		expect(isRunning(pid)).toBe(false);
	});

	test('reaches the grandchild of a wrapper (C7, U13)', async () => {
		const session = await opened({
			command: 'sh',
			arguments: ['-c', '"$0" "$@"; true', process.execPath, stdioPeerPath, '--deaf'],
		});
		const pid = textJson(valueOf(await session.callTool(call('pid')))) as number;
		await session.close();
		await vi.waitFor(() => {
			expect(isRunning(pid)).toBe(false);
		});
	});

	test('happens once although asked twice, and fails what is in flight', async () => {
		const session = await opened();
		const pending = session.callTool(call('hang'));
		await session.callTool(call('argv'));
		await Promise.all([session.close(), session.close()]);
		expect(failureOf(await pending)).toMatchObject({
			code: 'connection-lost',
			disposition: 'in-doubt',
		});
		expect(session.isOpen()).toBe(false);
	});

	test('leaves no orphan when the n8n process exits (C7)', async () => {
		const place = temporaryFolder();
		const pidFile = join(place, 'pid');
		const host = join(place, 'host.mjs');
		const { build } = await import('esbuild');
		await build({
			stdin: {
				contents: `
					import { openSession } from './src/mcp/openSession';
					import { writeFileSync } from 'node:fs';
					const open = openSession({ env: { ...process.env, SALVOR_STDIO_COMMANDS: '*' } });
					const session = await open(${JSON.stringify(stdio({ arguments: [stdioPeerPath, '--deaf'] }))});
					const answer = await session.value.callTool({ name: 'pid', arguments: {} });
					writeFileSync(${JSON.stringify(pidFile)}, answer.value.content[0].text);
					process.exit(0);
				`,
				resolveDir: join(import.meta.dirname, '../..'),
				loader: 'ts',
			},
			bundle: true,
			platform: 'node',
			format: 'esm',
			outfile: host,
			banner: {
				js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
			},
			logLevel: 'error',
		});
		const process_ = spawn(process.execPath, [host], { stdio: 'inherit' });
		await once(process_, 'exit');
		expect(existsSync(pidFile)).toBe(true);
		const pid = Number(readFileSync(pidFile, 'utf8'));
		await vi.waitFor(() => {
			expect(isRunning(pid)).toBe(false);
		});
	});
});
