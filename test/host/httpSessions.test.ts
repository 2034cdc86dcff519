import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, test } from 'vitest';
import { jsonCall } from '../support/calls';
import { host, httpConnection, jsonOf, runUntil } from '../support/host';
import {
	type Behaviour,
	type HttpPeer,
	type PeerRequest,
	startHttpPeer,
	well,
} from '../support/servers/httpPeer';
import { items, manualTrigger, toolCall, workflow } from '../support/workflow';

const endings: (() => Promise<void>)[] = [];
afterEach(async () => {
	for (const end of endings.splice(0)) await end();
});

const isCall = ({ message }: PeerRequest): boolean => message.method === 'tools/call';
const countOf = ({ seen }: HttpPeer, method: string): number =>
	seen.filter(({ message }) => message.method === method).length;

/** A server that gives each initialise a session of its own; `onCall` decides about each call, or makes it forget all sessions. */
async function serve(onCall: (sent: number) => Behaviour | 'forget'): Promise<HttpPeer> {
	let sessions = 0;
	let forgotten = 0;
	let sent = 0;
	const peer = await startHttpPeer((request) => {
		const { id, method, params } = request.message;
		if (method === 'initialize') {
			sessions += 1;
			return frame(id, String(sessions), {
				protocolVersion: params?.['protocolVersion'],
				capabilities: { tools: {} },
				serverInfo: { name: 'forgetful', version: '1' },
			});
		}
		const session = String(request.headers['mcp-session-id']);
		const decided = isCall(request) ? onCall((sent += 1)) : well;
		if (decided === 'forget') forgotten = sessions;
		if (decided === 'forget' || Number(session) <= forgotten)
			return { kind: 'answer', status: 404 };
		if (decided.kind !== 'well') return decided;
		if (method === 'tools/list')
			return frame(id, session, { tools: [{ name: 'pay', inputSchema: { type: 'object' } }] });
		return isCall(request)
			? frame(id, session, { content: [{ type: 'text', text: 'paid' }] })
			: well;
	});
	endings.push(() => peer.stop());
	return peer;
}

const frame = (id: number | undefined, session: string, result: unknown): Behaviour => ({
	kind: 'answer',
	status: 200,
	type: 'application/json',
	headers: { 'mcp-session-id': session },
	body: JSON.stringify({ jsonrpc: '2.0', id, result }),
});

/** Pays for each of two items; a payment is a write. */
async function payTwice(peer: HttpPeer) {
	const { rest } = host();
	const credential = await httpConnection(rest, { endpoint: peer.url });
	const settings = { onError: 'continueRegularOutput' };
	const execution = await runUntil(
		rest,
		workflow([
			manualTrigger(),
			items([{ no: 1 }, { no: 2 }]),
			toolCall(credential, jsonCall('pay', '{}'), settings),
		]),
		['success'],
	);
	return jsonOf(execution, 'Call');
}

describe('a server that forgot the session (C6, U15)', () => {
	test('is initialised again once, and the call that found out is made again, a write too', async () => {
		const peer = await serve((sent) => (sent === 2 ? 'forget' : well));
		expect(await payTwice(peer)).toMatchObject([
			{ output: 'paid', call: { outcome: 'completed', attempts: 1 } },
			{ output: 'paid', call: { outcome: 'completed', attempts: 2 } },
		]);
		expect(countOf(peer, 'initialize')).toBe(2);
		expect(countOf(peer, 'tools/call')).toBe(3);
	});

	test('and forgets the next one as well is not asked a third time', async () => {
		const peer = await serve(() => 'forget');
		const failed = { code: 'session-lost', disposition: 'did-not-happen', attempts: 2 };
		expect(await payTwice(peer)).toMatchObject([{ error: failed }, { error: failed }]);
		expect(countOf(peer, 'tools/call')).toBe(4);
		expect(countOf(peer, 'initialize')).toBe(4);
	});

	test('and breaks off when the write is made again leaves it in doubt, and unrepeated', async () => {
		const peer = await serve((sent) =>
			sent === 1 ? 'forget' : sent === 2 ? { kind: 'reset' } : well,
		);
		expect(await payTwice(peer)).toMatchObject([
			{ error: { code: 'connection-lost', disposition: 'in-doubt', attempts: 2 } },
			{ output: 'paid', call: { attempts: 1 } },
		]);
		expect(countOf(peer, 'tools/call')).toBe(3);
	});
});

test('an execution that is stopped cancels its call on the wire, and the log tells that it may have happened (C3, C10, U45)', async () => {
	const peer = await serve(() => ({ kind: 'hang' }));
	const { rest, logFile } = host();
	const credential = await httpConnection(rest, { endpoint: peer.url });
	const { id } = await rest.createWorkflow(
		workflow([manualTrigger(), toolCall(credential, jsonCall('pay', '{}'))]),
	);
	const running = await rest.runManually(id);
	const called = await peer.sees(isCall);
	const logged = readFileSync(logFile, 'utf8').length;
	await rest.stopExecution(running);
	const cancelled = await peer.sees(({ message }) => message.method === 'notifications/cancelled');
	expect(cancelled.message.params).toMatchObject({ requestId: called.message.id });
	await rest.waitForExecution(running, ['canceled']);
	// n8n keeps nothing of what a stopped node has to say.
	await expect
		.poll(() => readFileSync(logFile, 'utf8').slice(logged), { timeout: 20_000 })
		.toContain('"pay" was cancelled with the execution after the request was sent');
	expect(countOf(peer, 'tools/call')).toBe(1);
});
