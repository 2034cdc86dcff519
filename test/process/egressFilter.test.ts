import { lookup } from 'node:dns';

import { afterEach, describe, expect, test } from 'vitest';

import type { ConnectionSettings } from '../../src/call/connectionSettings';
import type { EgressFilter } from '../../src/mcp/egressFilter';
import { openSession } from '../../src/mcp/openSession';
import type { McpSession } from '../../src/call/session';
import type { Result } from '../../src/outcome/failure';
import { failureOf, http, valueOf } from '../support/connections';
import { startHttpPeer, well, type HttpPeer } from '../support/servers/httpPeer';

/** The filter of n8n itself is in test/outage/egressFilter.test.ts. */

const ends: (() => Promise<void>)[] = [];

afterEach(async () => {
	for (const end of ends.splice(0)) await end();
});

/** A well-behaved server, and its URL by a name that has to be looked up. */
async function namedPeer(): Promise<HttpPeer & { readonly named: string }> {
	const started = await startHttpPeer(() => well);
	ends.push(() => started.stop());
	return { ...started, named: started.url.replace('127.0.0.1', 'localhost') };
}

async function opening(
	settings: ConnectionSettings,
	filter: Partial<EgressFilter>,
): Promise<Result<McpSession>> {
	const egressFilter: EgressFilter = {
		validateUrl: () => Promise.resolve({ ok: true }),
		createSecureLookup: () => lookup,
		...filter,
	};
	const opened = await openSession({ env: {} })(settings, undefined, egressFilter);
	if (opened.ok) ends.unshift(() => opened.value.close());
	return opened;
}

describe("n8n's egress filter (C6)", () => {
	test('that refuses the endpoint keeps anything from being sent, and says whose decision it is', async () => {
		const peer = await namedPeer();
		const asked: string[] = [];
		const failure = failureOf(
			await opening(http(peer.url, { bearerToken: 'secret-token' }), {
				validateUrl: (url) => {
					asked.push(url.href);
					return Promise.resolve({ ok: false, error: new Error('a restricted address') });
				},
			}),
		);
		expect(failure).toMatchObject({
			code: 'connection-invalid',
			disposition: 'did-not-happen',
			stage: 'connect',
		});
		expect(failure.message).toContain('a restricted address');
		expect(failure.remedy).toContain('N8N_SSRF_ALLOWED_HOSTNAMES');
		expect(asked).toEqual([peer.url]);
		expect(peer.seen).toEqual([]);
	});

	test('judges addresses again at each look-up, so that a name that changed its mind is not reached', async () => {
		const peer = await namedPeer();
		const failure = failureOf(
			await opening(http(peer.named), {
				createSecureLookup: () => (_hostname, _options, done) => {
					done(new Error('a restricted address'), '');
				},
			}),
		);
		expect(failure).toMatchObject({ code: 'unreachable', disposition: 'did-not-happen' });
		expect(peer.seen).toEqual([]);
	});

	test('that lets everything pass changes nothing', async () => {
		const peer = await namedPeer();
		const session = valueOf(await opening(http(peer.named), {}));
		expect((await session.callTool({ name: 'work', arguments: {} })).ok).toBe(true);
	});

	test('that cannot look the host up refuses it, as one that may be there later', async () => {
		const peer = await namedPeer();
		const failure = failureOf(
			await opening(http(peer.named), {
				validateUrl: () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' })),
			}),
		);
		expect(failure).toMatchObject({ code: 'unreachable', disposition: 'did-not-happen' });
		expect(failure.message).toContain('ENOTFOUND');
		expect(peer.seen).toEqual([]);
	});
});
