import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterEach, describe, expect, test, vi } from 'vitest';

import type { McpSession } from '../../src/call/session';
import { openSession } from '../../src/mcp/openSession';
import type { Disposition, FailureCode } from '../../src/outcome/failure';
import { isTransient } from '../../src/outcome/failureTable';
import {
	failureOf,
	stdio,
	stdioPeerPath,
	temporaryFolder,
	textJson,
	valueOf,
} from '../support/connections';

/**
 * The table of failures against children that misbehave, one row each. Children that die, limits and the ways of ending a
 * child are in stdioSession.test.ts, commands that are not allowed in commandAllowList.test.ts.
 */

const open = openSession({ env: { ...process.env, SALVOR_STDIO_COMMANDS: '*' } });
const sessions: McpSession[] = [];

afterEach(async () => {
	await Promise.all(sessions.splice(0).map((session) => session.close()));
});

async function opened(...settings: Parameters<typeof stdio>): Promise<McpSession> {
	const session = valueOf(await open(stdio(...settings)));
	sessions.push(session);
	return session;
}

const call = (name: string, args: Record<string, unknown> = {}) => ({ name, arguments: args });
const huge = call('pid', { text: 'x'.repeat(8_000_000) });

interface Verdict {
	readonly code: FailureCode;
	readonly disposition: Disposition;
	readonly transient: boolean;
}
const verdict = (code: FailureCode, disposition: Disposition, transient: boolean): Verdict => ({
	code,
	disposition,
	transient,
});
const spawnFailed = verdict('spawn-failed', 'did-not-happen', false);
const lost = verdict('connection-lost', 'in-doubt', true);
const lostUnsent = verdict('connection-lost', 'did-not-happen', true);
const timedOut = verdict('timed-out', 'in-doubt', true);
const timedOutUnsent = verdict('timed-out', 'did-not-happen', true);
const cancelled = verdict('cancelled', 'in-doubt', false);
const cancelledUnsent = verdict('cancelled', 'did-not-happen', false);
const rpcRefused = verdict('rpc-refused', 'did-not-happen', false);
const rpcError = verdict('rpc-error', 'in-doubt', true);
const unreadable = verdict('result-unreadable', 'landed', false);

type Answered = Awaited<ReturnType<McpSession['callTool']>>;

function verdictOf(answered: Answered): Verdict {
	const failure = failureOf(answered);
	const { code, disposition } = failure;
	return { code, disposition, transient: isTransient(failure) };
}

describe('a child that cannot be started', () => {
	test.each<[string, (folder: string) => string]>([
		['is not there', (folder) => join(folder, 'none')],
		[
			'may not be executed',
			(folder) => {
				writeFileSync(join(folder, 'server'), '#!/bin/sh\n', { mode: 0o644 });
				return join(folder, 'server');
			},
		],
		[
			'is a folder',
			(folder) => {
				mkdirSync(join(folder, 'server'));
				return join(folder, 'server');
			},
		],
		[
			'is no program',
			(folder) => {
				writeFileSync(join(folder, 'server'), Buffer.from([0x7f, 0x45, 0x4c, 0x46]), {
					mode: 0o755,
				});
				return join(folder, 'server');
			},
		],
		['exits at once, as if all were well', () => 'true'],
		['prints a page and exits', () => 'env'],
	])('%s', async (_, command) => {
		const failure = failureOf(
			await open(stdio({ command: command(temporaryFolder()), arguments: [] })),
		);
		const { code, disposition } = failure;
		expect({ code, disposition, transient: isTransient(failure) }).toEqual(spawnFailed);
		expect(failure.stage).toBe('spawn');
	});
});

describe('a call that is answered with an error frame', () => {
	const error = (value: unknown): string =>
		`{"jsonrpc":"2.0","id":$id,"error":${JSON.stringify(value)}}\n`;

	test.each<[string, unknown, Verdict]>([
		['-32700', { code: -32700, message: 'as asked' }, rpcRefused],
		['-32600', { code: -32600, message: 'as asked' }, rpcRefused],
		['-32601', { code: -32601, message: 'as asked' }, rpcRefused],
		['-32602', { code: -32602, message: 'as asked' }, rpcError],
		['-32603', { code: -32603, message: 'as asked' }, rpcError],
		["-32000, also the SDK's for a closed connection", { code: -32000, message: '' }, rpcError],
		["-32001, also the SDK's for its own timeout", { code: -32001, message: '' }, rpcError],
		['a code of its own', { code: 7, message: 'as asked' }, rpcError],
		['a broken number for a code', { code: 1.5, message: 'as asked' }, rpcError],
		['text for a code', { code: '-32601', message: 'as asked' }, rpcError],
		['no code', { message: 'as asked' }, rpcError],
		['no message', { code: -32603 }, rpcError],
		['text for an error', 'as asked', rpcError],
		['null for an error', null, rpcError],
	])('%s', async (_, value, expected) => {
		const session = await opened();
		const answered = await session.callTool(call('write', { text: error(value), then: 'stay' }));
		expect(verdictOf(answered)).toEqual(expected);
		expect((await session.callTool(call('argv'))).ok).toBe(true);
	});

	test('whose code and text are kept for the person on call', async () => {
		const session = await opened();
		const text = error({ code: -32099, message: 'the till is closed' });
		const failure = failureOf(await session.callTool(call('write', { text, then: 'stay' })));
		expect(failure.evidence?.rpcCode).toBe(-32099);
		expect(failure.message).toContain('error -32099: the till is closed');
	});
});

describe('a call whose answer is no answer', () => {
	const whole = '{"jsonrpc":"2.0","id":$id,"result":{"content":[]}}';

	test.each<[string, string, 'exit' | 'close-stdout', Verdict]>([
		['nothing, and the end', '', 'exit', lost],
		['half an answer, and the end', whole.slice(0, 30), 'exit', lost],
		['an answer without its line end, and the end', whole, 'exit', lost],
		['nothing, and stdout closed', '', 'close-stdout', lost],
		['half an answer, and stdout closed', whole.slice(0, 30), 'close-stdout', lost],
	])('%s', async (_, text, then, expected) => {
		const session = await opened();
		const answered = await session.callTool(call('write', { text, then }));
		expect(verdictOf(answered)).toEqual(expected);
		expect(session.isOpen()).toBe(false);
	});

	test.each<[string, string]>([
		['half an answer, and no more', whole.slice(0, 30)],
		['an answer cut short', `${whole.slice(0, -3)}\n`],
		['the answer to another request', `${whole.replace('$id', '999')}\n`],
		['an error for another request', '{"jsonrpc":"2.0","id":999,"error":{"code":-32601}}\n'],
		['an error that names no request', '{"jsonrpc":"2.0","id":null,"error":{"code":-32700}}\n'],
		['a web page', '<html>Please log in</html>\n'],
		['another protocol', '{"hello":1}\n'],
		['nothing', ''],
	])('%s, until our limit', async (_, text) => {
		const session = await opened({}, { requestTimeoutMs: 1_000 });
		const answered = await session.callTool(call('write', { text, then: 'stay' }));
		expect(verdictOf(answered)).toEqual(timedOut);
	});

	test.each([
		['text', '"text"'],
		['null', 'null'],
		['a list', '[]'],
		['one beside an error', '{},"error":{"code":-32601,"message":""}'],
	])('a result that is %s', async (_, result) => {
		const session = await opened();
		const text = `{"jsonrpc":"2.0","id":$id,"result":${result}}\n`;
		const answered = await session.callTool(call('write', { text, then: 'stay' }));
		expect(verdictOf(answered)).toEqual(unreadable);
		expect(session.isOpen()).toBe(true);
	});

	test.each([
		['a second result', whole],
		['an error', '{"jsonrpc":"2.0","id":$id,"error":{"code":1,"message":"no"}}'],
		['a broken result', '{"jsonrpc":"2.0","id":$id,"result":1}'],
	])('a good one before %s: the first counts', async (_, second) => {
		const session = await opened();
		const text = `${whole}\n${second}\n`;
		expect(valueOf(await session.callTool(call('write', { text, then: 'stay' })))).toEqual({
			content: [],
		});
		expect((await session.callTool(call('argv'))).ok).toBe(true);
	});

	test('a late one, after our limit: it reaches nobody, and the next call gets its own', async () => {
		const session = await opened({}, { requestTimeoutMs: 1_000 });
		const pid = textJson(
			valueOf(await session.callTool(call('stop-reading', { then: 'resume' }))),
		) as number;
		expect(verdictOf(await session.callTool(call('cwd')))).toEqual(timedOut);
		process.kill(pid, 'SIGUSR2');
		expect(textJson(valueOf(await session.callTool(call('argv'))))).toEqual([]);
	});
});

describe('a child that closed its stdin', () => {
	test('leaves the next call in doubt, since bytes may have left', async () => {
		const session = await opened();
		const text = '{"jsonrpc":"2.0","id":$id,"result":{}}\n';
		await session.callTool(call('write', { text, then: 'close-stdin' }));
		expect(verdictOf(await session.callTool(call('argv')))).toEqual(lost);
		expect(verdictOf(await session.callTool(call('argv')))).toEqual(lostUnsent);
	});
});

describe('a child that has exited while something it started holds its pipes', () => {
	test('a call that is made then did not happen, and may be made again', async () => {
		const wrapped = `sleep 60 & SHELL_PID=$$ '${process.execPath}' '${stdioPeerPath}'; exit $?`;
		const session = await opened({ command: 'sh', arguments: ['-c', wrapped] });
		const env = textJson(valueOf(await session.callTool(call('env')))) as Record<string, string>;
		const pid = textJson(valueOf(await session.callTool(call('pid'))));
		process.kill(Number(pid), 'SIGKILL');
		await vi.waitFor(
			() => {
				expect(() => process.kill(Number(env['SHELL_PID']), 0)).toThrow('ESRCH');
			},
			{ interval: 1 },
		);
		expect(verdictOf(await session.callTool(call('argv')))).toEqual(lostUnsent);
	});
});

describe('a child that stops reading', () => {
	async function deaf(
		then: 'exit' | 'resume',
		requestTimeoutMs = 20_000,
	): Promise<{ readonly session: McpSession; readonly wake: () => void }> {
		const session = await opened({}, { requestTimeoutMs });
		const stopped = valueOf(await session.callTool(call('stop-reading', { then })));
		const pid = textJson(stopped) as number;
		return {
			session,
			wake: () => {
				process.kill(pid, 'SIGUSR2');
			},
		};
	}

	test('a request in its pipe counts as sent, at our limit and at the end', async () => {
		const { session, wake } = await deaf('exit', 500);
		expect(verdictOf(await session.callTool(call('argv')))).toEqual(timedOut);
		const pending = session.callTool(call('argv'));
		wake();
		expect(verdictOf(await pending)).toEqual(lost);
	});

	test('a request half written counts as sent; one behind it that never left does not', async () => {
		const { session, wake } = await deaf('exit');
		const written = session.callTool(huge);
		const waiting = session.callTool(call('argv'));
		wake();
		expect(verdictOf(await written)).toEqual(lost);
		expect(verdictOf(await waiting)).toEqual(lostUnsent);
	});

	test('a request that waits behind another is told as unsent at our limit, and never sent', async () => {
		const { session, wake } = await deaf('resume', 1_000);
		const [written, waiting] = await Promise.all([
			session.callTool(huge),
			session.callTool(call('cwd')),
		]);
		expect(verdictOf(written)).toEqual(timedOut);
		expect(verdictOf(waiting)).toEqual(timedOutUnsent);
		wake();
		const seen = textJson(valueOf(await session.callTool(call('seen')))) as {
			readonly params?: { readonly name?: string };
		}[];
		const names = seen.flatMap(({ params }) => params?.name ?? []);
		expect(names).toEqual(['stop-reading', 'pid', 'seen']);
	});

	test('a request that waits behind another and is cancelled did not happen', async () => {
		const { session } = await deaf('resume');
		const cancel = new AbortController();
		const written = session.callTool(huge, cancel.signal);
		const waiting = session.callTool(call('cwd'), cancel.signal);
		await new Promise((settle) => setImmediate(settle));
		cancel.abort();
		expect(verdictOf(await written)).toEqual(cancelled);
		expect(verdictOf(await waiting)).toEqual(cancelledUnsent);
	});

	test('while it asks without end is given no more answers than it has a chance to take', async () => {
		const session = await opened();
		valueOf(await session.callTool(call('flood-pings', { count: 20_000 })));
		const seen = textJson(valueOf(await session.callTool(call('seen')))) as {
			readonly method?: string;
		}[];
		const answers = seen.filter(({ method }) => method === undefined).length;
		expect(answers).toBeGreaterThan(256);
		// What the buffers between the two hold.
		expect(answers).toBeLessThan(5_000);
	});
});
