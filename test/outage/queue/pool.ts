import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import type { Execution } from '../../../scripts/host/executionData';
import type { CredentialReference } from '../../../scripts/host/n8nRest';
import { until } from '../../../scripts/host/until';
import { callWebhook } from '../../support/callWebhook';
import { jsonCall } from '../../support/calls';
import { isRunning } from '../../support/connections';
import { httpConnection, jsonOf, postAnswer, stdioConnection } from '../../support/host';
import { stdioPeerCommand, wrappedPeerCommand } from '../../support/hostPeers';
import { numbersAt } from '../../support/numbersAt';
import { newTag, runInProduction, shownUrl } from '../../support/parkRuns';
import type { QueueBench } from '../../support/queueBench';
import { listed, startToolServer, text } from '../../support/servers/toolServer';
import type { ServedTool } from '../../support/servers/toolServer';
import { toolCall, webhookTrigger, workflow } from '../../support/workflow';

const echo: ServedTool = {
	listed: listed('echo', { readOnlyHint: true }),
	answer: ({ arguments: given }) => text(String(given['n'])),
};
const ask: ServedTool = {
	listed: listed('ask'),
	answer: () => ({
		...text('dropped'),
		_meta: { salvor: { suspend: { reason: 'Say something', input_schema: true } } },
	}),
};

const askPid = (credential: CredentialReference, name: string) =>
	toolCall(credential, jsonCall('pid', {}), {}, name);
const pidIn = (execution: Execution, node: string): number =>
	Number(jsonOf(execution, node)[0]?.['output']);
const parentOf = (pid: number): number =>
	Number(spawnSync('ps', ['-o', 'ppid=', '-p', String(pid)], { encoding: 'utf8' }).stdout);

async function untilGone(pids: readonly number[]): Promise<void> {
	await until(
		() => (pids.some(isRunning) ? undefined : true),
		10_000,
		() => `Of ${pids.join(', ')} there are left: ${pids.filter(isRunning).join(', ')}`,
	);
}

/** Each worker has connections of its own (C9), which end with it (C7). */
export function poolInQueueMode(bench: QueueBench): void {
	/** A child behind a shell that no other test has. */
	const wrapped = async () =>
		await stdioConnection(bench().host.rest, [...wrappedPeerCommand, newTag()]);

	test('100 executions at once on two workers share one session and one child on each, and each gets its own answers (C9)', async () => {
		const { rest } = bench().host;
		const server = await startToolServer([echo]);
		const byHttp = await httpConnection(rest, { endpoint: server.endpoint, requestTimeout: 120 });
		const byPipe = await wrapped();
		const numbers = await numbersAt(
			rest,
			(n) => [
				toolCall(byHttp, jsonCall('echo', n), {}, 'Http'),
				toolCall(byPipe, jsonCall('echo', n.replace('"n":', '"of": 1, "value":')), {}, 'Pipe'),
				askPid(byPipe, 'Pid'),
			],
			{
				http: "{{ $('Http').item.json.output }}",
				pipe: "{{ $('Pipe').item.json.output }}",
				pid: '{{ $json.output }}',
			},
		);
		try {
			const answers = (await numbers.send(100)) as { readonly pid: string }[];
			expect(answers).toEqual(
				answers.map(({ pid }, n) => ({ http: String(n), pipe: String(n), pid })),
			);
			const children = new Set(answers.map(({ pid }) => pid));
			const sessions = new Set(server.calls.map(({ session }) => session));
			expect([children.size, sessions.size]).toEqual([2, 2]);
			expect([server.initialised(), server.calls.length]).toEqual([2, 100]);
		} finally {
			await numbers.stop();
			await server.stop();
		}
	});

	test('a run that parked on a worker goes on on another one after the first was killed, over that one’s connections (C9)', async () => {
		const { host } = bench();
		const { rest, webhookBaseUrl } = host;
		const server = await startToolServer([echo, ask]);
		try {
			const byHttp = await httpConnection(rest, { endpoint: server.endpoint });
			const byPipe = await wrapped();
			const hook = `queue-pool-${newTag()}`;
			const { parked } = await callWebhook(
				rest,
				workflow([
					webhookTrigger(hook),
					toolCall(byHttp, jsonCall('echo', { n: 1 }), {}, 'Before'),
					askPid(byPipe, 'Pid before'),
					toolCall(byHttp, jsonCall('ask', {})),
					toolCall(byHttp, jsonCall('echo', { n: 2 }), {}, 'After'),
					askPid(byPipe, 'Pid after'),
				]),
				hook,
			);
			const [parkedOn = 'none'] = host.ranOn(parked.id);
			await host.kill([parkedOn]);
			const url = shownUrl(parked).replace(webhookBaseUrl, rest.baseUrl);
			expect((await postAnswer(url, { yes: true })).status).toBe(200);
			const done = await rest.waitForExecution(parked.id, ['success']);
			const [before, asked, after] = server.calls.map(({ session }) => session);
			expect(before).toBe(asked);
			expect(after).not.toBe(asked);
			expect([server.initialised(), server.calls.length]).toEqual([2, 3]);
			expect(pidIn(done, 'Pid after')).not.toBe(pidIn(done, 'Pid before'));
			await untilGone([pidIn(done, 'Pid before')]);
			await host.start(parkedOn);
		} finally {
			await server.stop();
		}
	});

	describe('of a worker', () => {
		test('that is told to end while calls run the runs go on to their end, and then no session and no child is left (C6, C7, C9)', async () => {
			const { host } = bench();
			const { rest } = host;
			const [last = 'none', ...others] = host.workers();
			const begun = Promise.withResolvers<undefined>();
			const release = Promise.withResolvers<undefined>();
			const held: ServedTool = {
				listed: listed('held'),
				answer: async () => {
					begun.resolve(undefined);
					await release.promise;
					return text('released');
				},
			};
			const server = await startToolServer([held]);
			await host.terminate(others);
			try {
				const byHttp = await httpConnection(rest, { endpoint: server.endpoint });
				const byPipe = await wrapped();
				// The child answers both or none.
				const half = (value: string) =>
					toolCall(byPipe, jsonCall('echo', { value, of: 2 }), {}, 'Half');
				const run = async (nodes: Parameters<typeof workflow>[0]) => {
					const hook = `queue-pool-${newTag()}`;
					const spec = workflow([webhookTrigger(hook), ...nodes]);
					return (await runInProduction(rest, spec, hook)).executionId;
				};
				const first = await run([half('one')]);
				const second = await run([
					askPid(byPipe, 'Pid'),
					toolCall(byHttp, jsonCall('held', {}), {}, 'Held'),
					half('other'),
				]);
				await begun.promise;
				const ended = host.terminate([last]);
				await until(
					() => (host.log(last).includes('Waiting for 2 active executions') ? true : undefined),
					10_000,
					() => `The worker does not wait for its executions:\n${host.log(last)}`,
				);
				release.resolve(undefined);
				const [one, other] = await Promise.all([
					rest.waitForExecution(first, ['success']),
					rest.waitForExecution(second, ['success']),
				]);
				expect([one, other].map((done) => jsonOf(done, 'Half')[0]?.['output'])).toEqual([
					'one',
					'other',
				]);
				await ended;
				expect([server.initialised(), server.open()]).toEqual([1, 0]);
				await untilGone([pidIn(other, 'Pid')]);
			} finally {
				release.resolve(undefined);
				await server.stop();
				await Promise.all([last, ...others].map(host.start));
			}
		});

		test('that is killed the children end by themselves, a shell and what it started too; one that does not heed the end of its input stays (C7)', async () => {
			const { host } = bench();
			const { rest } = host;
			const commands = [
				[...stdioPeerCommand, newTag()],
				[...wrappedPeerCommand, newTag()],
				[...stdioPeerCommand, '--deaf', newTag()],
			] as const;
			const [tame, inShell, deaf] = await Promise.all(
				commands.map((command) => stdioConnection(rest, command)),
			);
			if (tame === undefined || inShell === undefined || deaf === undefined) throw new Error();
			const hook = `queue-pool-${newTag()}`;
			const { executionId } = await runInProduction(
				rest,
				workflow([
					webhookTrigger(hook),
					askPid(tame, 'Tame'),
					askPid(inShell, 'In shell'),
					askPid(deaf, 'Deaf'),
				]),
				hook,
			);
			const done = await rest.waitForExecution(executionId, ['success']);
			const [ranOn = 'none'] = host.ranOn(executionId);
			const [ofTame = 0, ofInShell = 0, ofDeaf = 0] = ['Tame', 'In shell', 'Deaf'].map((node) =>
				pidIn(done, node),
			);
			const ofShell = parentOf(ofInShell);
			const pids = [ofTame, ofInShell, ofShell, ofDeaf];
			try {
				expect(pids.map(isRunning)).toEqual([true, true, true, true]);
				await host.kill([ranOn]);
				await untilGone([ofTame, ofInShell, ofShell]);
				expect(isRunning(ofDeaf)).toBe(true);
			} finally {
				if (isRunning(ofDeaf)) process.kill(ofDeaf, 'SIGKILL');
				await host.start(ranOn);
			}
		});
	});
}
