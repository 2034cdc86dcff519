import { afterEach, describe, expect, test, vi } from 'vitest';

import { openConnection, type Opener } from '../../nodes/shared/openConnection';
import { openRenewing, type RenewedToken, type RenewToken } from '../../src/call/renewingSession';
import { fail, succeed } from '../../src/outcome/failure';
import { failureOf, http, valueOf } from '../support/connections';
import { type PoolUnderTest, testPool } from '../support/pools';
import {
	gate,
	listed,
	refusal,
	type SeenCall,
	startToolServer,
	text,
} from '../support/servers/toolServer';

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
	for (const end of ends.splice(0)) await end();
});

const work = { name: 'work', arguments: {} };
const bearer = (token: string) => `Bearer ${token}`;

interface Guarded {
	/** Opens a session that begins with this token. */
	readonly open: (token: string, owner?: object) => ReturnType<typeof openRenewing>;
	readonly server: Awaited<ReturnType<typeof startToolServer>>;
	readonly pool: PoolUnderTest;
	/** The next refusal leaves when `until` settles; resolves when it has been decided. */
	readonly holdRefusal: (until: Promise<unknown>) => Promise<unknown>;
	/** From now on the server takes this token alone, and a renewal gives it, or the other one. */
	readonly take: (token: string, given?: string) => void;
}

/** A server that lets one token in, and a pool. Its tool says which session it was called on, or what `answer` gives. */
async function guarded(
	answer?: (call: SeenCall) => unknown,
	renewed: RenewedToken['renewed'] = 'now',
): Promise<Guarded> {
	let [taken, next] = ['first', 'first'];
	let hold: (() => Promise<unknown>) | undefined;
	const server = await startToolServer(
		[
			{
				listed: listed('work'),
				answer: async (call) => (await answer?.(call)) ?? text(call.session),
			},
		],
		{
			authorization: async (given) => {
				const isLetIn = given === bearer(taken);
				if (!isLetIn) await hold?.();
				return isLetIn;
			},
		},
	);
	const pool = testPool();
	ends.push(
		() => pool.close(),
		() => server.stop(),
	);
	const renew: RenewToken = (refused) =>
		Promise.resolve(
			refused === next
				? fail({ code: 'unauthorized', disposition: 'did-not-happen', message: 'no other' })
				: succeed({ token: next, renewed }),
		);
	return {
		open: async (bearerToken, owner) =>
			await openRenewing(
				http(server.endpoint, { bearerToken }),
				async (settings, insteadOf) =>
					await pool.lease({ settings, insteadOf, owner, listing: 'recent' }),
				renew,
			),
		server,
		pool,
		holdRefusal: async (until) => {
			await new Promise<void>((decided) => {
				hold = async () => {
					hold = undefined;
					decided();
					await until;
				};
			});
		},
		take: (token, given = token) => {
			[taken, next] = [token, given];
		},
	};
}

describe('a shared HTTP session whose access token is renewed (C9)', () => {
	test('goes on with the new token, for whoever comes later too, and is deleted with it', async () => {
		const { open, server, pool, take } = await guarded();
		const session = valueOf(await open('first'));
		valueOf(await session.callTool(work));
		take('second');
		valueOf(await session.callTool(work));
		valueOf(await session.listTools());
		valueOf(await valueOf(await open('second')).callTool(work));
		expect(server.calls.map(({ headers }) => headers.authorization)).toEqual(
			['first', 'second', 'second'].map(bearer),
		);
		expect(new Set(server.calls.map((call) => call.session)).size).toBe(1);
		expect(server.initialised()).toBe(1);
		await pool.close();
		expect(server.open()).toBe(0);
	});

	test('goes on for all runs that share it, whose calls find out together', async () => {
		const { open, server, take } = await guarded();
		const sessions = await Promise.all(Array.from({ length: 20 }, () => open('first')));
		take('second');
		const answers = await Promise.all(sessions.map((session) => valueOf(session).callTool(work)));
		answers.forEach(valueOf);
		expect([server.initialised(), server.calls.length]).toEqual([1, 20]);
	});

	test('goes on over one renewal after the other', async () => {
		const { open, server, take } = await guarded();
		const session = valueOf(await open('first'));
		for (const token of ['second', 'third', 'fourth']) {
			take(token);
			valueOf(await session.callTool(work));
		}
		expect([server.initialised(), server.calls.length]).toEqual([1, 3]);
	});

	test('of one execution alone goes on for it, and ends with it', async () => {
		const { open, server, pool, take } = await guarded();
		const [owner, another] = [{}, {}];
		const session = valueOf(await open('first', owner));
		valueOf(await open('first', another));
		take('second');
		valueOf(await session.callTool(work));
		expect([server.initialised(), server.open()]).toEqual([2, 2]);
		await session.close();
		pool.end(owner);
		await vi.waitFor(() => {
			expect(server.open()).toBe(1);
		});
	});

	test('does not tell whoever has the new token that a listing with the old one was refused', async () => {
		const { open, take, holdRefusal } = await guarded();
		const [one, other] = [valueOf(await open('first')), valueOf(await open('first'))];
		// The stream that the client asks for beside its calls has had its answer by then.
		valueOf(await one.callTool(work));
		take('second');
		const release = Promise.withResolvers<undefined>();
		const decided = holdRefusal(release.promise);
		const early = one.listTools();
		await decided;
		valueOf(await other.callTool(work));
		const late = valueOf(await open('second')).listTools();
		release.resolve(undefined);
		(await Promise.all([early, late])).forEach(valueOf);
	});

	test('leaves the calls that are under way to their answers', async () => {
		const both = gate(2);
		const { open, server, take } = await guarded(both);
		const session = valueOf(await open('first'));
		const early = session.callTool(work);
		await vi.waitFor(() => {
			expect(server.calls).toHaveLength(1);
		});
		take('second');
		const answers = await Promise.all([early, session.callTool(work)]);
		answers.forEach(valueOf);
		expect(server.calls.map(({ headers }) => headers.authorization)).toEqual(
			['first', 'second'].map(bearer),
		);
	});

	test('is not taken over where another has opened one with the new token already', async () => {
		const { open, server, take } = await guarded();
		const before = valueOf(await open('first'));
		take('second');
		const other = valueOf(await open('second'));
		valueOf(await before.callTool(work));
		valueOf(await other.callTool(work));
		const [first, second] = server.calls.map((call) => call.session);
		expect(first).toBe(second);
		expect(server.initialised()).toBe(2);
	});

	test('that the server forgot meanwhile fails the call, which did not happen, and the next one has another', async () => {
		let forgets = false;
		const { open, server, take } = await guarded(() => (forgets ? refusal(404) : undefined));
		const session = valueOf(await open('first'));
		take('second');
		forgets = true;
		expect(failureOf(await session.callTool(work))).toMatchObject({
			code: 'session-lost',
			disposition: 'did-not-happen',
		});
		forgets = false;
		valueOf(await session.callTool(work));
		expect(server.initialised()).toBe(2);
		expect(server.calls.at(-1)?.headers.authorization).toBe(bearer('second'));
	});

	test('that the server does not let the new token into fails the call, and the next one has another', async () => {
		const openedBy = new Map<string, string | undefined>();
		const { open, server, take } = await guarded(({ session, headers: { authorization } }) => {
			if (!openedBy.has(session)) openedBy.set(session, authorization);
			return openedBy.get(session) === authorization ? undefined : refusal(403);
		});
		const session = valueOf(await open('first'));
		valueOf(await session.callTool(work));
		take('second');
		expect(failureOf(await session.callTool(work))).toMatchObject({
			disposition: 'did-not-happen',
			evidence: { httpStatus: 403 },
		});
		valueOf(await session.callTool(work));
		expect(server.initialised()).toBe(2);
	});

	test('is left for another also when a call of before ends well after the new token came', async () => {
		const openedBy = new Map<string, string | undefined>();
		const slow = Promise.withResolvers<undefined>();
		const { open, server, take } = await guarded(async ({ session, headers }) => {
			if (!openedBy.has(session)) openedBy.set(session, headers.authorization);
			const isFirst = server.calls.length === 1;
			if (isFirst) await slow.promise;
			return openedBy.get(session) === headers.authorization ? undefined : refusal(403);
		});
		const session = valueOf(await open('first'));
		const early = session.callTool(work);
		await vi.waitFor(() => {
			expect(server.calls).toHaveLength(1);
		});
		take('second');
		const second = session.callTool(work);
		slow.resolve(undefined);
		valueOf(await early);
		expect((await second).ok).toBe(false);
		valueOf(await session.callTool(work));
		expect(server.initialised()).toBe(2);
	});

	test.each(['by-another', 'before'] as const)(
		'does not go on with a token that came %s, which may be another person’s',
		async (renewed) => {
			const { open, server, take } = await guarded(undefined, renewed);
			const session = valueOf(await open('first'));
			take('second');
			valueOf(await session.callTool(work));
			expect(server.initialised()).toBe(2);
		},
	);

	test('is not shared with a token of the operator’s own, which is never renewed', async () => {
		const { pool, server } = await guarded();
		const settings = http(server.endpoint, { bearerToken: 'first' });
		for (const renewable of [true, false]) {
			valueOf(await pool.lease({ settings: { ...settings, renewable }, listing: 'recent' }));
		}
		expect(server.initialised()).toBe(2);
	});

	test('is not shared by a credential with OAuth2 and one in which somebody entered the same token', async () => {
		const { pool, server } = await guarded();
		const opener: Opener = ({ settings }) => pool.lease({ settings, listing: 'recent' });
		const data = { endpoint: server.endpoint, bearerToken: 'first' };
		const renew: RenewToken = () =>
			Promise.resolve(
				fail({ code: 'unauthorized', disposition: 'did-not-happen', message: 'no other' }),
			);
		for (const credential of [{ data, renew }, { data }, { data, renew }]) {
			valueOf(await openConnection(credential, { opener }));
		}
		expect(server.initialised()).toBe(2);
	});

	test('whose server repeats the new token does not show it', async () => {
		const { open, server, take } = await guarded();
		const session = valueOf(await open('first'));
		take('another', 'second-c0ffee');
		const failed = failureOf(await session.callTool(work));
		expect(failed.evidence).toMatchObject({ httpStatus: 401, body: 'no access with Bearer ***' });
		expect(server.initialised()).toBe(1);
	});
});
