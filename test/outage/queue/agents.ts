import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { agentParks, SCHEMA } from '../../support/agentParks';
import type { AgentParks } from '../../support/agentParks';
import {
	agentWorkflow,
	answered,
	finalText,
	modelConnection,
	relays,
	relayTool,
	repeats,
	waitsFor,
} from '../../support/agentRuns';
import { callWebhook, streamedText } from '../../support/callWebhook';
import { postAnswer } from '../../support/host';
import { newTag, sendsPark, suspends } from '../../support/parkRuns';
import type { QueueBench } from '../../support/queueBench';
import { startModelServer } from '../../support/servers/modelServer';
import type { ModelServer } from '../../support/servers/modelServer';
import { webhookTrigger } from '../../support/workflow';

/** An AI Agent whose tool parks, run by workers. */
export function agentsInQueueMode(bench: QueueBench): void {
	describe('an agent', () => {
		let models: ModelServer;
		let agents: AgentParks;

		beforeAll(async () => {
			models = await startModelServer();
			const { host, parkServer } = bench();
			agents = await agentParks(host.rest, { models, parkServer }, 'in production', async (id) =>
				(await host.rest.resumeUrl(id)).replace(host.rest.baseUrl, host.webhookBaseUrl),
			);
		});
		afterAll(async () => {
			await models.stop();
		});

		test('whose tool parks ends its streamed response with a word, and goes on unstreamed (P28)', async () => {
			const { host, credential } = bench();
			const model = models.model((got) => (got.length === 0 ? relays(suspends()) : repeats(got)));
			const path = `queue-stream-${newTag()}`;
			const spec = agentWorkflow({
				model,
				modelCredential: await modelConnection(host.rest, models),
				tools: [relayTool(credential)],
				trigger: webhookTrigger(path, 'streaming'),
			});
			const { response, parked } = await callWebhook(
				host.rest,
				spec,
				path,
				{},
				host.webhookBaseUrl,
			);
			expect(streamedText(await (await response).text())).toBe(
				'The run waits for an answer and goes on later. This response ends here.',
			);
			expect((await postAnswer(await host.rest.resumeUrl(parked.id), 'yes')).status).toBe(200);
			expect(await agents.textOf(parked.id)).toBe(answered({ output: 'yes' }));
		});

		test('whose tool is parked outlives SIGTERM of all workers, and then kill -9 of them and of main: an answer on the webhook process, or the instant, resumes it, and it finishes (P20, P23, P28)', async () => {
			const { host, parkServer } = bench();
			const sleepsUntil = new Date(Date.now() + 150_000).toISOString();
			const calls = {
				asleep: sendsPark({ sleep_until: sleepsUntil }),
				alone: suspends('Alone?', SCHEMA),
				first: suspends('First?', SCHEMA),
				second: suspends('Second?', SCHEMA),
				before: suspends('Before?', SCHEMA),
				after: suspends('After?', SCHEMA),
				deep: suspends('Deep?', SCHEMA),
			};
			const asleep = await agents.park([calls.asleep]);
			const alone = await agents.park([calls.alone]);
			const both = await agents.park([calls.first, calls.second]);
			const halfway = await agents.park([calls.before, calls.after]);
			await agents.answer(halfway, 'Before?', { yes: true });
			await waitsFor(await host.rest.resumeUrl(halfway), 'After?');
			const deep = await agents.parkInHelper(calls.deep);

			const workers = host.workers();
			await host.terminate(workers);
			await Promise.all(workers.map(host.start));
			await host.kill([...workers, 'main']);
			// A main that wakes an execution while no worker lives loses it: the first worker takes it for crashed.
			await Promise.all(workers.map(host.start));
			await host.start('main');

			await agents.answer(alone, 'Alone?', { yes: true });
			expect(await agents.textOf(alone)).toBe(answered({ yes: true }));
			await agents.answer(both, 'First?', { yes: true });
			await agents.answer(both, 'Second?', { yes: false });
			const bothAnswers = `${answered({ yes: true })}\n${answered({ yes: false })}`;
			expect(await agents.textOf(both)).toBe(bothAnswers);
			await agents.answer(halfway, 'After?', { yes: false });
			expect(await agents.textOf(halfway)).toBe(bothAnswers);
			await agents.answer(deep, 'Deep?', { yes: true });
			expect(await agents.textOf(deep)).toBe(answered({ output: answered({ yes: true }) }));
			const woken = await host.rest.waitForExecution(asleep, ['success'], 200_000);
			expect(finalText(woken)).toBe(answered({ slept_until: sleepsUntil }));
			expect(woken.error).toBeUndefined();

			for (const { tag } of Object.values(calls)) expect(parkServer.calls(tag)).toHaveLength(1);
		}, 300_000);
	});
}
