import { afterEach, describe, expect, test } from 'vitest';

import type { ConnectionSettings } from '../../src/call/connectionSettings';
import type { McpSession } from '../../src/call/session';
import { openSession } from '../../src/mcp/openSession';
import { failureOf, http, valueOf } from '../support/connections';
import { type Behaviour, type HttpPeer, startHttpPeer, well } from '../support/servers/httpPeer';

/** A listing is one request to whoever asks for it, however many pages it has (C3, C4, C6). */

const ends: (() => Promise<void>)[] = [];

afterEach(async () => {
	for (const end of ends.splice(0)) await end();
});

const page = (tools: readonly object[], next?: number): Behaviour => ({
	kind: 'result',
	result: { tools, ...(next === undefined ? {} : { nextCursor: String(next) }) },
});

/** A server that answers each `tools/list` with what `list` gives for the number of the page, from 0. */
async function listing(list: (page: number) => Behaviour): Promise<HttpPeer> {
	const started = await startHttpPeer(({ message }) =>
		message.method === 'tools/list' ? list(Number(message.params?.['cursor'] ?? 0)) : well,
	);
	ends.push(() => started.stop());
	return started;
}

async function opened(
	{ url }: HttpPeer,
	env: NodeJS.ProcessEnv = {},
	limits: Partial<ConnectionSettings> = {},
): Promise<McpSession> {
	const session = valueOf(await openSession({ env })(http(url, {}, limits)));
	ends.unshift(() => session.close());
	return session;
}

const pagesOf = ({ seen }: HttpPeer): number =>
	seen.filter(({ message }) => message.method === 'tools/list').length;

describe('a listing', () => {
	test('may have more tools on a page than a function takes arguments', async () => {
		const many = Array.from({ length: 200_000 }, (_, index) => ({ name: `t${String(index)}` }));
		const server = await listing(() => page(many));
		expect(valueOf(await (await opened(server)).listTools())).toHaveLength(200_000);
	});

	test('whose pages never end is given up at Maximum Duration, each page being quick (C3)', async () => {
		const server = await listing((number) => ({
			kind: 'later',
			when: new Promise((settle) => setTimeout(settle, 50)),
			then: page([], number + 1),
		}));
		const session = await opened(server, {}, { requestTimeoutMs: 400, maxDurationMs: 500 });
		const failure = failureOf(await session.listTools());
		expect(failure).toMatchObject({
			code: 'timed-out',
			disposition: 'did-not-happen',
			stage: 'list',
		});
		expect(failure.message).toContain('0.5 s, the Maximum Duration');
		expect(pagesOf(server)).toBeGreaterThan(1);
	});

	test('is as large as one answer may be at most, however it is cut up (C6)', async () => {
		const bulk = [{ name: 'bulky', description: 'x'.repeat(400 * 1024) }];
		const server = await listing((number) => page(bulk, number + 1));
		const session = await opened(server, { SALVOR_MAX_RESPONSE_MB: '1' });
		const failure = failureOf(await session.listTools());
		expect(failure).toMatchObject({ code: 'result-unreadable', disposition: 'did-not-happen' });
		expect(failure.message).toContain('larger than 1 MiB (SALVOR_MAX_RESPONSE_MB)');
		expect(pagesOf(server)).toBe(3);
	});

	test('may come in pages that are small enough together', async () => {
		const bulk = [{ name: 'bulky', description: 'x'.repeat(400 * 1024) }];
		const server = await listing((number) => page(bulk, number === 0 ? 1 : undefined));
		const session = await opened(server, { SALVOR_MAX_RESPONSE_MB: '1' });
		expect(valueOf(await session.listTools())).toHaveLength(2);
	});
});
