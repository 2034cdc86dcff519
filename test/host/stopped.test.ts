import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, test } from 'vitest';
import { until } from '../../scripts/host/until';
import { jsonCall } from '../support/calls';
import { host, httpConnection, jsonOf, runUntil, stdioConnection } from '../support/host';
import { stdioPeerCommand } from '../support/hostPeers';
import {
	type Behaviour,
	event,
	type HttpPeer,
	type PeerRequest,
	startHttpPeer,
	well,
} from '../support/servers/httpPeer';
import {
	manualTrigger,
	type NodeSpec,
	toolCall,
	webhookTrigger,
	workflow,
} from '../support/workflow';

/** What becomes of a call without end when somebody presses Stop, or nobody does. */

const endings: (() => Promise<void>)[] = [];
afterEach(async () => {
	for (const end of endings.splice(0)) await end();
});

const isCall = ({ message }: PeerRequest): boolean => message.method === 'tools/call';
const isCancellation = ({ message }: PeerRequest): boolean =>
	message.method === 'notifications/cancelled';

async function serve(onCall: (request: PeerRequest) => Behaviour): Promise<HttpPeer> {
	const tools = [{ name: 'pay', inputSchema: { type: 'object' } }];
	const peer = await startHttpPeer((request) => {
		if (request.message.method === 'tools/list') return { kind: 'result', result: { tools } };
		return isCall(request) ? onCall(request) : well;
	});
	endings.push(() => peer.stop());
	return peer;
}

const logged = (): string => readFileSync(host().logFile, 'utf8');
const inDoubt = (execution: string, tool: string): string =>
	`Call, execution ${execution}: Calling the tool "${tool}" was cancelled with the execution after the request was sent. Find out what the call did before calling again. Look up at the server whether it happened.`;

const silence: Behaviour = { kind: 'hang' };
const stalled: Behaviour = { kind: 'stream', text: ': wait\n\n', then: 'stay' };
const progress = ({ message }: PeerRequest): Behaviour => {
	const meta = message.params?.['_meta'] as { readonly progressToken: number };
	const params = { progressToken: meta.progressToken, progress: 1 };
	const notice = { jsonrpc: '2.0', method: 'notifications/progress', params };
	return { kind: 'beat', text: event(notice), everyMs: 50 };
};

describe.each(['by hand', 'in production'] as const)('a run that was started %s', (start) => {
	/** Runs one node; resolves with the execution's id. */
	async function begin(node: NodeSpec): Promise<string> {
		const { rest } = host();
		const path = randomUUID();
		const trigger = start === 'by hand' ? manualTrigger() : webhookTrigger(path);
		const { id } = await rest.createWorkflow(workflow([trigger, node]));
		if (start === 'by hand') return await rest.runManually(id);
		await rest.activate(id);
		await fetch(rest.webhookUrl(path), { method: 'POST' });
		return await until(
			async () => (await rest.listExecutions(id))[0]?.id,
			20_000,
			() => 'The trigger started no execution',
		);
	}

	test.each([
		['answers nothing', () => silence],
		['stalls in its stream', () => stalled],
		['tells of progress for ever', progress],
	])(
		'and is stopped cancels its call at a server that %s, and the log says that it is in doubt (C3, U33, U45)',
		async (_, behaviour) => {
			const peer = await serve(behaviour);
			const { rest } = host();
			const credential = await httpConnection(rest, { endpoint: peer.url });
			const running = await begin(toolCall(credential, jsonCall('pay', {})));
			const called = await peer.sees(isCall);
			await rest.stopExecution(running);
			const { message } = await peer.sees(isCancellation);
			expect(message.params).toMatchObject({ requestId: called.message.id });
			await called.over;
			await expect.poll(logged, { timeout: 20_000 }).toContain(inDoubt(running, 'pay'));
			await rest.waitForExecution(running, ['canceled']);
			expect(peer.seen.filter(isCall)).toHaveLength(1);
		},
	);

	test('and is stopped cancels its call at a program, which runs on, and the log says that it is in doubt (C3, U45)', async () => {
		const { rest } = host();
		const credential = await stdioConnection(rest, stdioPeerCommand);
		/** What the program has read, asked over the same connection. */
		const seen = async (method: string) => {
			const execution = await runUntil(
				rest,
				workflow([manualTrigger(), toolCall(credential, jsonCall('seen', {}))]),
				['success'],
			);
			const [item] = jsonOf(execution, 'Call');
			const messages = item?.output as readonly PeerRequest['message'][];
			return messages.filter((message) => message.method === method);
		};
		const calls = async () =>
			(await seen('tools/call')).filter(({ params }) => params?.['name'] === 'hang');
		const before = (await calls()).length;
		const running = await begin(toolCall(credential, jsonCall('hang', {})));
		const called = await until(
			async () => (await calls())[before],
			20_000,
			() => 'The program was not called',
		);
		await rest.stopExecution(running);
		await rest.waitForExecution(running, ['canceled']);
		const cancelled = await seen('notifications/cancelled');
		expect(cancelled.at(-1)?.params).toMatchObject({ requestId: called.id });
		expect(await calls()).toHaveLength(before + 1);
		await expect.poll(logged, { timeout: 20_000 }).toContain(inDoubt(running, 'hang'));
	});

	test('and that nobody stops ends at Request Timeout, or at Maximum Duration (C3, U33)', async () => {
		const { rest } = host();
		for (const [behaviour, field] of [
			[() => stalled, 'Request Timeout'],
			[progress, 'Maximum Duration'],
		] as const) {
			const peer = await serve(behaviour);
			const limits = { requestTimeout: 1, maxDuration: 2 };
			const credential = await httpConnection(rest, { endpoint: peer.url, ...limits });
			const running = await begin(toolCall(credential, jsonCall('pay', {})));
			const { error } = await rest.waitForExecution(running, ['error']);
			expect(error?.message).toContain(field);
			expect(error?.description).toContain('Code: timed-out. Disposition: in-doubt.');
			await peer.sees(isCancellation);
		}
	});
});
