import { randomUUID } from 'node:crypto';
import type { Execution } from '../scripts/host/executionData.ts';
import type { N8nRest } from '../scripts/host/n8nRest.ts';
import { nothing, webhookTrigger, workflow } from '../test/support/workflow.ts';
import type { NodeSpec } from '../test/support/workflow.ts';
import type { CallNodes, Transport } from './callNodes.ts';
import { inTurns } from './inTurns.ts';
import { storeRun } from './storedRun.ts';

export const KINDS = ['noop', 'http', 'stdio'] as const;
type Kind = (typeof KINDS)[number];

/** Milliseconds of a whole execution, by what its one node does. */
export interface OneCall {
	/** By hand, from its start to its stop as n8n notes them. */
	readonly manual: Readonly<Record<Kind, readonly number[]>>;
	/** By a webhook that answers when the last node has run, from the request to the answer. */
	readonly webhook: Readonly<Record<Kind, readonly number[]>>;
}

/** Executions with one call over a connection that is open already, beside those of a node that does nothing. */
export async function measureOneCall(
	rest: N8nRest,
	nodes: CallNodes,
	rounds: number,
	signal: AbortSignal,
): Promise<OneCall> {
	const call = (transport: Transport): NodeSpec =>
		nodes.salvor({ transport, tool: 'read', atOnce: 8, isWarm: true, arguments: '{ "n": 1 }' });
	const specs: Readonly<Record<Kind, NodeSpec>> = {
		noop: nothing('Call'),
		http: call('http'),
		stdio: call('stdio'),
	};
	const contenders = await Promise.all(
		KINDS.flatMap((kind) => [
			byHand(rest, specs[kind]).then((run) => ({ name: `manual ${kind}`, run })),
			byWebhook(rest, specs[kind]).then((run) => ({ name: `webhook ${kind}`, run })),
		]),
	);
	const samples = await inTurns(contenders, { warmUp: 3, rounds, signal });
	const of = (how: keyof OneCall) => ({
		noop: samples.get(`${how} noop`) ?? [],
		http: samples.get(`${how} http`) ?? [],
		stdio: samples.get(`${how} stdio`) ?? [],
	});
	return { manual: of('manual'), webhook: of('webhook') };
}

async function byHand(rest: N8nRest, node: NodeSpec): Promise<() => Promise<number>> {
	const run = await storeRun(rest, [node]);
	return async () => tookMs(await run());
}

function tookMs({ id, startedAt, stoppedAt }: Execution): number {
	if (startedAt === undefined || stoppedAt === undefined) {
		throw new Error(`Execution ${id} does not say how long it took.`);
	}
	return stoppedAt.getTime() - startedAt.getTime();
}

async function byWebhook(rest: N8nRest, node: NodeSpec): Promise<() => Promise<number>> {
	const path = randomUUID();
	const { id } = await rest.createWorkflow(workflow([webhookTrigger(path, 'lastNode'), node]));
	await rest.activate(id);
	return async () => {
		const begunAt = performance.now();
		const response = await fetch(rest.webhookUrl(path), { method: 'POST' });
		const body = await response.text();
		const took = performance.now() - begunAt;
		if (response.status === 200) return took;
		throw new Error(`The webhook answered ${String(response.status)}: ${body.slice(0, 200)}`);
	};
}
