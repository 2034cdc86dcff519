import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { CredentialReference, N8nRest } from '../../scripts/host/n8nRest';
import {
	agentWorkflow,
	finalText,
	modelConnection,
	relays,
	relayTool,
	repeats,
	waitsFor,
} from './agentRuns';
import { httpConnection, postAnswer } from './host';
import { runInProduction } from './parkRuns';
import type { RelayCall } from './parkRuns';
import type { ModelServer } from './servers/modelServer';
import type { ParkServer } from './servers/parkServer';
import { webhookTrigger } from './workflow';

/** What an answer to an agent's tool has to look like here. */
export const SCHEMA = {
	type: 'object',
	properties: { yes: { type: 'boolean' } },
	required: ['yes'],
};

/** Agents that wait for their tools, on one n8n through all its lives. Executions are known by their ids. */
export interface AgentParks {
	/** An agent that makes these calls in one turn, parked at the first. */
	readonly park: (calls: readonly RelayCall[]) => Promise<string>;
	/** An agent whose helper, an agent too, makes this call. */
	readonly parkInHelper: (call: RelayCall) => Promise<string>;
	/** Answers what waits for this reason: wrongly, which is refused, and then rightly. */
	readonly answer: (id: string, reason: string, value: unknown) => Promise<void>;
	/** What the agent says in the end. */
	readonly textOf: (id: string) => Promise<string>;
}

/** Runs from webhooks, as in production, or by hand. `addressOf` tells where an execution is answered. */
export async function agentParks(
	rest: N8nRest,
	servers: { readonly models: ModelServer; readonly parkServer: ParkServer },
	how: 'by hand' | 'in production',
	addressOf: (id: string) => Promise<string> = rest.resumeUrl,
): Promise<AgentParks> {
	const { models, parkServer } = servers;
	const modelCredential = await modelConnection(rest, models);
	const credential: CredentialReference = await httpConnection(rest, {
		endpoint: parkServer.endpoint,
	});
	const run = async (setting: { readonly model: string; readonly helperModel?: string }) => {
		const base = { modelCredential, tools: [relayTool(credential)], ...setting };
		const hook = `agent-${randomUUID()}`;
		const id =
			how === 'by hand'
				? await rest.runManually((await rest.createWorkflow(agentWorkflow(base))).id)
				: (
						await runInProduction(
							rest,
							agentWorkflow({ ...base, trigger: webhookTrigger(hook) }),
							hook,
						)
					).executionId;
		return (await rest.waitForExecution(id, ['waiting'])).id;
	};
	return {
		park: async (calls) => {
			const model = models.model((got) => (got.length === 0 ? relays(...calls) : repeats(got)));
			return await run({ model });
		},
		parkInHelper: async (call) => {
			const helperModel = models.model((got) => (got.length === 0 ? relays(call) : repeats(got)));
			const model = models.model((got) =>
				got.length === 0
					? { calls: [{ tool: 'Helper', arguments: { task: 'Ask' } }] }
					: repeats(got),
			);
			return await run({ model, helperModel });
		},
		answer: async (id, reason, value) => {
			const url = await addressOf(id);
			await waitsFor(url, reason);
			expect((await postAnswer(url, { yes: 'perhaps' })).status).toBe(422);
			const taken = await postAnswer(url, value);
			expect([taken.status, await taken.json()]).toEqual([200, { status: 'resumed' }]);
		},
		textOf: async (id) => {
			const done = await rest.waitForExecution(id, ['success']);
			expect(done.error).toBeUndefined();
			return finalText(done);
		},
	};
}
