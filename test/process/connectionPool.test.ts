import { afterEach, describe, expect, test, vi } from 'vitest';

import type { ConnectionSettings } from '../../src/call/connectionSettings';
import type { PoolRules } from '../../src/mcp/connectionPool';
import {
	failureOf,
	http,
	isRunning,
	stdio,
	stdioPeerPath,
	textJson,
	valueOf,
} from '../support/connections';
import { pidOf, testPool } from '../support/pools';
import { answer, type ForgetfulPeer, startForgetfulPeer } from '../support/servers/forgetfulPeer';
import { startHttpPeer, well } from '../support/servers/httpPeer';
import { listed, startToolServer, type ToolServer } from '../support/servers/toolServer';

const ends: (() => Promise<void>)[] = [];

afterEach(async () => {
	for (const end of ends.splice(0)) await end();
});

function newPool(rules: Partial<PoolRules> = {}) {
	const pool = testPool(rules);
	ends.unshift(() => pool.close());
	return pool;
}

async function forgetfulPeer(
	...decide: Parameters<typeof startForgetfulPeer>
): Promise<ForgetfulPeer> {
	const peer = await startForgetfulPeer(...decide);
	ends.push(() => peer.stop());
	return peer;
}

async function toolServer(...given: Parameters<typeof startToolServer>): Promise<ToolServer> {
	const server = await startToolServer(...given);
	ends.push(() => server.stop());
	return server;
}

const call = (name: string, args: Record<string, unknown> = {}) => ({ name, arguments: args });
const work = call('work');

/** Settings of a child that no other test shares. */
const child = (flags: readonly string[] = [], limits: Partial<ConnectionSettings> = {}) =>
	stdio({ arguments: [stdioPeerPath, ...flags] }, limits);

describe('one connection for the same settings (C9)', () => {
	test('serves all leases, whatever the operator calls the server; other settings have another', async () => {
		const pool = newPool();
		const one = await pool.open(child());
		const other = await pool.open({ ...child(), serverName: 'by another name' });
		const different = await pool.open(child(['--noise']));
		expect(await pidOf(other)).toBe(await pidOf(one));
		expect(await pidOf(different)).not.toBe(await pidOf(one));
	});

	test('is opened once for all who wait for it', async () => {
		const peer = await forgetfulPeer();
		const pool = newPool();
		const leases = await Promise.all(Array.from({ length: 50 }, () => pool.open(http(peer.url))));
		expect(peer.initialises()).toBe(1);
		const answers = await Promise.all(leases.map((lease) => lease.callTool(work)));
		expect(answers.every(({ ok }) => ok)).toBe(true);
		expect(peer.initialises()).toBe(1);
	});

	test('outlives the lease, which takes no more requests then', async () => {
		const pool = newPool();
		const lease = await pool.open(child());
		const pid = await pidOf(lease);
		await Promise.all([lease.close(), lease.close()]);
		expect(lease.isOpen()).toBe(false);
		expect(failureOf(await lease.callTool(call('pid')))).toMatchObject({
			code: 'connection-lost',
			disposition: 'did-not-happen',
		});
		expect(await pidOf(await pool.open(child()))).toBe(pid);
	});

	test('whose opening fails tells all who wait for it, and the next one tries again', async () => {
		let refusing = true;
		const peer = await forgetfulPeer(({ message }) =>
			refusing && message.method === 'initialize' ? { kind: 'answer', status: 503 } : undefined,
		);
		const pool = newPool();
		const request = { settings: http(peer.url), listing: 'anew' } as const;
		const both = await Promise.all([pool.lease(request), pool.lease(request)]);
		for (const refused of both) {
			expect(failureOf(refused)).toMatchObject({ code: 'unreachable', stage: 'initialise' });
		}
		expect(peer.seen).toHaveLength(1);
		refusing = false;
		expect((await (await pool.open(http(peer.url))).callTool(work)).ok).toBe(true);
	});
});

describe('who cancels disturbs no others (C10)', () => {
	test('while a connection is opened', async () => {
		let answerInitialise: (() => void) | undefined;
		const held = new Promise<void>((settle) => (answerInitialise = settle));
		const peer = await startHttpPeer(({ message }) =>
			message.method === 'initialize' ? { kind: 'later', when: held, then: well } : well,
		);
		ends.push(() => peer.stop());
		const pool = newPool();
		const cancel = new AbortController();
		const given = { settings: http(peer.url), listing: 'anew' } as const;
		const impatient = pool.lease({ ...given, signal: cancel.signal });
		const patient = pool.lease(given);
		await peer.sees(({ message }) => message.method === 'initialize');
		cancel.abort();
		expect(failureOf(await impatient)).toMatchObject({
			code: 'cancelled',
			disposition: 'did-not-happen',
		});
		answerInitialise?.();
		expect((await valueOf(await patient).callTool(work)).ok).toBe(true);
	});

	test('and an opening that nobody waits for any more is given up', async () => {
		let initialises = 0;
		const peer = await startHttpPeer(({ message }) => {
			if (message.method !== 'initialize') return well;
			initialises += 1;
			return initialises === 1 ? { kind: 'hang' } : well;
		});
		ends.push(() => peer.stop());
		const pool = newPool({ most: 1 });
		const cancel = new AbortController();
		const settings = http(peer.url);
		const given = pool.lease({ settings, listing: 'anew', signal: cancel.signal });
		await peer.sees(({ message }) => message.method === 'initialize');
		cancel.abort();
		expect(failureOf(await given).code).toBe('cancelled');
		// It holds no place that another would need.
		expect((await (await pool.open(settings)).callTool(work)).ok).toBe(true);
	});

	test('while calls are under way', async () => {
		const pool = newPool();
		const [one, other] = await Promise.all([pool.open(child()), pool.open(child())]);
		const cancel = new AbortController();
		const hanging = one.callTool(call('hang'), cancel.signal);
		const waiting = other.callTool(call('echo', { value: 'mine', of: 2 }));
		await other.callTool(call('argv'));
		cancel.abort();
		expect(failureOf(await hanging)).toMatchObject({ code: 'cancelled', disposition: 'in-doubt' });
		await other.callTool(call('echo', { value: 'last', of: 2 }));
		expect(textJson(valueOf(await waiting))).toBe('mine');
	});
});

describe('an HTTP session that the server forgot (C6)', () => {
	test('fails the calls that find out, is opened again once for all that come after, and not before', async () => {
		const peer = await forgetfulPeer();
		const pool = newPool();
		const leases = await Promise.all(Array.from({ length: 8 }, () => pool.open(http(peer.url))));
		peer.forget();
		const lost = await Promise.all(leases.map((lease) => lease.callTool(work)));
		for (const answered of lost) {
			expect(failureOf(answered)).toMatchObject({
				code: 'session-lost',
				disposition: 'did-not-happen',
			});
		}
		expect(leases[0]?.isOpen()).toBe(false);
		expect(peer.initialises()).toBe(1);
		const answers = await Promise.all(leases.map((lease) => lease.callTool(work)));
		expect(answers.every(({ ok }) => ok)).toBe(true);
		expect(peer.initialises()).toBe(2);
	});

	test('keeps the calls that are under way on it, and is deleted after the last of them', async () => {
		let answerSlow: (() => void) | undefined;
		const held = new Promise<void>((settle) => (answerSlow = settle));
		const peer = await forgetfulPeer(({ message: { id, params } }) =>
			params?.['name'] === 'slow'
				? { kind: 'later', when: held, then: answer(id, { content: [], slow: true }) }
				: undefined,
		);
		const pool = newPool();
		const [one, other] = [await pool.open(http(peer.url)), await pool.open(http(peer.url))];
		const slow = one.callTool(call('slow'));
		await peer.sees(({ message }) => message.params?.['name'] === 'slow');
		peer.forget();
		expect(failureOf(await other.callTool(work)).code).toBe('session-lost');
		expect((await other.callTool(work)).ok).toBe(true);
		expect(peer.deleted()).toEqual([]);
		answerSlow?.();
		expect(valueOf(await slow)).toEqual({ content: [], slow: true });
		await vi.waitFor(() => {
			expect(peer.deleted()).toEqual(['1']);
		});
	});

	test('is no failure for a listing, which does nothing', async () => {
		const peer = await forgetfulPeer();
		const pool = newPool();
		await (await pool.open(http(peer.url))).listTools();
		peer.forget();
		const lease = await pool.open(http(peer.url));
		expect(valueOf(await lease.listTools())).toHaveLength(1);
		expect(peer.initialises()).toBe(2);
	});

	test('that cannot be had even anew fails the listing instead of opening for ever', async () => {
		const peer = await forgetfulPeer(({ message }) =>
			message.method === 'tools/list' ? { kind: 'answer', status: 404 } : undefined,
		);
		const lease = await newPool().open(http(peer.url));
		expect(failureOf(await lease.listTools()).code).toBe('session-lost');
		expect(peer.initialises()).toBe(1);
	});
});

describe('a child that ended', () => {
	test('is started again by the next call, once for all that come', async () => {
		const pool = newPool();
		const [one, other] = [await pool.open(child()), await pool.open(child())];
		const before = await pidOf(one);
		expect(failureOf(await one.callTool(call('die')))).toMatchObject({
			code: 'connection-lost',
			disposition: 'in-doubt',
		});
		const [first, second] = await Promise.all([pidOf(one), pidOf(other)]);
		expect(first).toBe(second);
		expect(first).not.toBe(before);
	});
});

describe('an idle connection', () => {
	test('is closed after the idle time, child and session', async () => {
		const server = await toolServer([{ listed: listed('work') }]);
		const pool = newPool({ idleMs: 50 });
		const [byHttp, byPipe] = [await pool.open(http(server.endpoint)), await pool.open(child())];
		const pid = await pidOf(byPipe);
		await Promise.all([byHttp.close(), byPipe.close()]);
		await vi.waitFor(() => {
			expect([server.open(), isRunning(pid)]).toEqual([0, false]);
		}, 10_000);
		expect(await pidOf(await pool.open(child()))).not.toBe(pid);
	});

	test('is kept while somebody holds a lease on it', async () => {
		const pool = newPool({ idleMs: 1 });
		const [held, other] = [await pool.open(child()), await pool.open(child(['--noise']))];
		const [pid, otherPid] = [await pidOf(held), await pidOf(other)];
		await other.close();
		await vi.waitFor(() => {
			expect(isRunning(otherPid)).toBe(false);
		}, 10_000);
		expect(await pidOf(held)).toBe(pid);
	});

	test('that is leased again in time is kept, however long the lease lasts', async () => {
		const pool = newPool({ idleMs: 1_000 });
		const first = await pool.open(child());
		const pid = await pidOf(first);
		const later = await pool.open(child(['--noise']));
		const laterPid = await pidOf(later);
		await first.close();
		const again = await pool.open(child());
		await later.close();
		await vi.waitFor(() => {
			expect(isRunning(laterPid)).toBe(false);
		}, 10_000);
		expect(await pidOf(again)).toBe(pid);
	});

	test('is closed at once where the idle time is none', async () => {
		const server = await toolServer([{ listed: listed('work') }]);
		const pool = newPool({ idleMs: 0 });
		const lease = await pool.open(http(server.endpoint));
		await lease.callTool(work);
		await lease.callTool(work);
		expect(server.initialised()).toBe(1);
		await lease.close();
		await vi.waitFor(() => {
			expect(server.open()).toBe(0);
		});
	});
});

describe('before it is used again', () => {
	test('a connection that was idle for a while is asked for a sign of life, a busy one is not', async () => {
		const pool = newPool({ checkAfterMs: 0 });
		const lease = await pool.open(child());
		const waiting = lease.callTool(call('echo', { value: 1, of: 2 }));
		await lease.callTool(call('echo', { value: 2, of: 2 }));
		await waiting;
		const seen = textJson(valueOf(await lease.callTool(call('seen')))) as { method: string }[];
		const methods = seen
			.map(({ method }) => method)
			.filter((method) => !method.startsWith('notif'));
		expect(methods).toEqual([
			'initialize',
			'ping',
			'tools/call',
			'tools/call',
			'ping',
			'tools/call',
		]);
	});

	test('a server that has forgotten its session is found out without a failure', async () => {
		const peer = await forgetfulPeer();
		const pool = newPool({ checkAfterMs: 0 });
		const lease = await pool.open(http(peer.url));
		peer.forget();
		expect((await lease.callTool(work)).ok).toBe(true);
		expect(peer.initialises()).toBe(2);
	});

	test('so is one that went away under a request, sessions and all, and came back', async () => {
		let dying = true;
		const peer = await forgetfulPeer(({ message }) => {
			if (!dying || message.method !== 'tools/list') return undefined;
			dying = false;
			return { kind: 'reset' };
		});
		const lease = await newPool().open(http(peer.url));
		expect(failureOf(await lease.listTools()).code).toBe('connection-lost');
		peer.forget();
		expect(valueOf(await lease.listTools())).toHaveLength(1);
		expect(peer.initialises()).toBe(2);
	});

	test('a child that gave no answer in time, and gives no sign of life, is replaced', async () => {
		const pool = newPool({ checkLimitMs: 100 });
		const lease = await pool.open(child([], { requestTimeoutMs: 3_000 }));
		const pid = await pidOf(lease);
		await lease.callTool(call('stop-reading', { then: 'exit' }));
		expect(failureOf(await lease.callTool(call('pid'))).code).toBe('timed-out');
		expect(await pidOf(lease)).not.toBe(pid);
		await vi.waitFor(() => {
			expect(isRunning(pid)).toBe(false);
		}, 10_000);
	});

	test('so is one that was answering nothing when a call was cancelled', async () => {
		const lease = await newPool({ checkLimitMs: 100 }).open(child());
		const pid = await pidOf(lease);
		await lease.callTool(call('stop-reading', { then: 'exit' }));
		const cancel = new AbortController();
		const silent = lease.callTool(call('argv'), cancel.signal);
		setImmediate(() => cancel.abort());
		expect(failureOf(await silent)).toMatchObject({ code: 'cancelled', disposition: 'in-doubt' });
		expect(await pidOf(lease)).not.toBe(pid);
	});

	test('a child that gave no answer in time, but a sign of life, is kept', async () => {
		const pool = newPool();
		const lease = await pool.open(child([], { requestTimeoutMs: 3_000 }));
		const pid = await pidOf(lease);
		expect(failureOf(await lease.callTool(call('hang'))).code).toBe('timed-out');
		expect(await pidOf(lease)).toBe(pid);
	});
});

describe('limits', () => {
	test('requests beyond the most at once wait their turn, in order', async () => {
		const server = await toolServer([{ listed: listed('work') }]);
		const lease = await newPool({ atOnce: 3 }).open(http(server.endpoint));
		const numbers = Array.from({ length: 20 }, (_, n) => n);
		await Promise.all(numbers.map((n) => lease.callTool(call('work', { n }))));
		expect(server.mostAtOnce()).toBeLessThanOrEqual(3);
		expect(server.calls).toHaveLength(20);
	});

	test('who waits for a turn can be cancelled, and is not sent', async () => {
		const lease = await newPool({ atOnce: 1 }).open(child());
		const first = new AbortController();
		const hanging = lease.callTool(call('hang'), first.signal);
		const second = new AbortController();
		const waiting = lease.callTool(call('error', { code: -1 }), second.signal);
		second.abort();
		expect(failureOf(await waiting)).toMatchObject({
			code: 'cancelled',
			disposition: 'did-not-happen',
		});
		first.abort();
		await hanging;
		const seen = JSON.stringify(textJson(valueOf(await lease.callTool(call('seen')))));
		expect(seen).toContain('"hang"');
		expect(seen).not.toContain('"error"');
	});

	test('who gets no turn within the Maximum Duration was not sent', async () => {
		const peer = await forgetfulPeer(({ message }) =>
			message.method === 'tools/call' ? { kind: 'hang' } : undefined,
		);
		const settings = http(peer.url, {}, { maxDurationMs: 1_500 });
		const lease = await newPool({ atOnce: 1 }).open(settings);
		// The second waits from now on; the first is timed from when it is sent, which is later.
		const [hanging, waiting] = [lease.callTool(work), lease.callTool(call('later'))];
		const failure = failureOf(await waiting);
		expect(failure).toMatchObject({ code: 'timed-out', disposition: 'did-not-happen' });
		expect(failure.message).toContain('1 others');
		expect(failureOf(await hanging).disposition).toBe('in-doubt');
		expect(JSON.stringify(peer.seen)).not.toContain('"later"');
	});

	test('where as many are open as may be, the one unused for longest makes room, used ones stay', async () => {
		const pool = newPool({ most: 2 });
		const [one, two] = [await pool.open(child()), await pool.open(child(['--noise']))];
		const [first, second] = [await pidOf(one), await pidOf(two)];
		await pidOf(one);
		await pool.open(child(['three']));
		await vi.waitFor(() => {
			expect(isRunning(second)).toBe(false);
		}, 10_000);
		expect(isRunning(first)).toBe(true);
	});

	test('a lease whose connection had to make room opens it again', async () => {
		const pool = newPool({ most: 1 });
		const one = await pool.open(child());
		const first = await pidOf(one);
		const two = await pool.open(child(['--noise']));
		await pidOf(two);
		const again = await pidOf(one);
		expect(again).not.toBe(first);
		expect(isRunning(first)).toBe(false);
	});

	test('who finds all in use waits until one is not', async () => {
		const pool = newPool({ most: 1 });
		const one = await pool.open(child());
		const held = one.callTool(call('echo', { value: 'busy', of: 2 }));
		await one.callTool(call('argv'));
		const waiting = pool.open(child(['--noise']));
		await one.callTool(call('echo', { value: 'busy', of: 2 }));
		expect((await held).ok).toBe(true);
		expect((await (await waiting).callTool(call('argv'))).ok).toBe(true);
	});

	test('who finds all in use for longer than the Request Timeout is told so, and nothing was sent', async () => {
		const pool = newPool({ most: 1 });
		const one = await pool.open(child());
		const cancel = new AbortController();
		const hanging = one.callTool(call('hang'), cancel.signal);
		const settings = child(['--noise'], { requestTimeoutMs: 200 });
		const failure = failureOf(await pool.lease({ settings, listing: 'anew' }));
		expect(failure).toMatchObject({ code: 'timed-out', disposition: 'did-not-happen' });
		expect(failure.message).toContain('all 1 MCP connections');
		cancel.abort();
		await hanging;
	});
});

describe('a connection of one execution alone (Session = Per Execution)', () => {
	test('is shared by what belongs to that execution and by nobody else', async () => {
		const pool = newPool();
		const [one, other] = [{}, {}];
		const [a, b, c, d] = await Promise.all([
			pool.open(child(), { owner: one }),
			pool.open(child(), { owner: one }),
			pool.open(child(), { owner: other }),
			pool.open(child()),
		]);
		const pids = [await pidOf(a), await pidOf(b), await pidOf(c), await pidOf(d)];
		expect(pids[0]).toBe(pids[1]);
		expect(new Set(pids).size).toBe(3);
	});

	test('ends with the execution, and never makes room before', async () => {
		const pool = newPool({ most: 1 });
		const owner = {};
		const lease = await pool.open(child(), { owner });
		const pid = await pidOf(lease);
		await lease.close();
		const settings = child(['--noise'], { requestTimeoutMs: 200 });
		expect(failureOf(await pool.lease({ settings, listing: 'anew' })).code).toBe('timed-out');
		expect(isRunning(pid)).toBe(true);
		pool.end(owner);
		await vi.waitFor(() => {
			expect(isRunning(pid)).toBe(false);
		}, 10_000);
		expect((await pool.open(child(['--noise']))).isOpen()).toBe(true);
	});
});

describe('a listing', () => {
	const methodsOf = (seen: unknown) =>
		(seen as { method: string }[]).filter(({ method }) => method === 'tools/list').length;

	test('of a moment ago is used again by who may, and asked for by who may not', async () => {
		const server = await toolServer([{ listed: listed('work') }]);
		const pool = newPool();
		const recent = await pool.open(http(server.endpoint), { listing: 'recent' });
		await Promise.all(Array.from({ length: 10 }, () => recent.listTools()));
		await recent.listTools();
		expect(server.pagesRead()).toBe(1);
		await (await pool.open(http(server.endpoint))).listTools();
		expect(server.pagesRead()).toBe(2);
	});

	test('that is too old is asked for again', async () => {
		const server = await toolServer([{ listed: listed('work') }]);
		const pool = newPool({ listingAgeMs: { announced: 3_600_000, other: 0 } });
		const recent = await pool.open(http(server.endpoint), { listing: 'recent' });
		await recent.listTools();
		await recent.listTools();
		expect(server.pagesRead()).toBe(2);
	});

	test('of a child that announces changes is kept for longer, until it announces one', async () => {
		const pool = newPool({ listingAgeMs: { announced: 3_600_000, other: 0 } });
		const recent = await pool.open(child(['--announces']), { listing: 'recent' });
		await recent.listTools();
		await recent.listTools();
		await recent.callTool(call('change'));
		await recent.listTools();
		await recent.listTools();
		expect(methodsOf(textJson(valueOf(await recent.callTool(call('seen')))))).toBe(2);
	});

	test('of a lost session is not used again', async () => {
		const pool = newPool();
		const recent = await pool.open(child(), { listing: 'recent' });
		await recent.listTools();
		await recent.callTool(call('die'));
		await recent.listTools();
		expect(methodsOf(textJson(valueOf(await recent.callTool(call('seen')))))).toBe(1);
	});
});

describe('the end', () => {
	test('drained, the pool closes what nobody uses, and the rest with its last lease', async () => {
		const pool = newPool();
		const [idle, held] = [await pool.open(child()), await pool.open(child(['--noise']))];
		const [idlePid, heldPid] = [await pidOf(idle), await pidOf(held)];
		await idle.close();
		pool.drain();
		await vi.waitFor(() => {
			expect(isRunning(idlePid)).toBe(false);
		}, 10_000);
		expect(await pidOf(held)).toBe(heldPid);
		await held.close();
		await vi.waitFor(() => {
			expect(isRunning(heldPid)).toBe(false);
		}, 10_000);
	});

	test('closed, the pool leaves no child and no session, in use or not', async () => {
		const server = await toolServer([{ listed: listed('work') }]);
		const pool = newPool();
		const lease = await pool.open(child(['--deaf']));
		const pid = await pidOf(lease);
		await pool.open(http(server.endpoint));
		const hanging = lease.callTool(call('hang'));
		await lease.callTool(call('argv'));
		await pool.close();
		expect(failureOf(await hanging)).toMatchObject({
			code: 'connection-lost',
			disposition: 'in-doubt',
		});
		expect([server.open(), isRunning(pid)]).toEqual([0, false]);
	});
});

describe('200 calls at once', () => {
	const numbers = Array.from({ length: 200 }, (_, n) => n);

	test('over one child each get their own answer, whatever the order of answering', async () => {
		const pool = newPool();
		const leases = await Promise.all(numbers.map(() => pool.open(child())));
		const answers = await Promise.all(
			leases.map((lease, n) => lease.callTool(call('echo', { value: n, of: 50 }))),
		);
		expect(answers.map((answered) => textJson(valueOf(answered)))).toEqual(numbers);
	});

	test('over one session each get their own answer, and those whose socket breaks fail alone', async () => {
		const breaks = (n: number) => n % 10 === 3;
		const peer = await forgetfulPeer(({ message: { id, method, params } }) => {
			if (method !== 'tools/call') return undefined;
			const { n } = params?.['arguments'] as { n: number };
			return breaks(n) ? { kind: 'reset' } : answer(id, { content: [], n });
		});
		const pool = newPool();
		const leases = await Promise.all(numbers.map(() => pool.open(http(peer.url))));
		const answers = await Promise.all(
			leases.map((lease, n) => lease.callTool(call('work', { n }))),
		);
		expect(peer.initialises()).toBe(1);
		for (const [n, answered] of answers.entries()) {
			if (breaks(n)) expect(failureOf(answered).disposition).toBe('in-doubt');
			else expect(valueOf(answered)['n']).toBe(n);
		}
	});
});
