import { randomUUID } from 'node:crypto';
import { asJson } from '../../scripts/host/json';
import type { Json } from '../../scripts/host/json';
import type { Execution } from '../../scripts/host/executionData';
import type { CredentialReference, N8nRest, WorkflowSpec } from '../../scripts/host/n8nRest';
import { until } from '../../scripts/host/until';
import { jsonOf } from './host';
import { toolCall } from './workflow';
import type { NodeSpec } from './workflow';

/** What a call of the park server sends: a tag to count it by, and the result to answer with. */
export interface RelayCall {
	readonly tag: string;
	readonly result: Json;
}

export const newTag = (): string => randomUUID();

/** A call that the park server answers with a text. */
export const answers = (text: string, tag = newTag()): RelayCall => ({
	tag,
	result: { content: [{ type: 'text', text }] },
});

/** A call that the tool itself marks as failed, after it ran. */
export const failsLanded = (text: string, tag = newTag()): RelayCall => ({
	tag,
	result: { isError: true, content: [{ type: 'text', text }] },
});

/** A call with `_meta.salvor` as given, well formed or not. */
export const sendsPark = (salvor: unknown, tag = newTag()): RelayCall => ({
	tag,
	result: { content: [{ type: 'text', text: 'dropped' }], _meta: { salvor } },
});

/** A call that suspends for a person. */
export const suspends = (
	reason = 'Say something',
	inputSchema: unknown = true,
	tag = newTag(),
): RelayCall => sendsPark({ suspend: { reason, input_schema: inputSchema } }, tag);

/** Our node calling the park server with fixed arguments. */
export function relay(
	credential: CredentialReference,
	call: RelayCall,
	settings: Json = {},
	name = 'Call',
): NodeSpec {
	return callJson(credential, 'relay', JSON.stringify(call), settings, name);
}

/** Our node calling a tool with the arguments that each item's `json.call` holds. */
export function relayEach(
	credential: CredentialReference,
	settings: Json = {},
	tool = 'relay',
): NodeSpec {
	return callJson(credential, tool, '={{ JSON.stringify($json.call) }}', settings, 'Call');
}

/** Our node calling a tool by name; its arguments as JSON text or as an expression. */
export function callJson(
	credential: CredentialReference,
	tool: string,
	argumentsJson: string,
	settings: Json = {},
	name = 'Call',
): NodeSpec {
	const parameters = {
		operation: 'call',
		tool: { __rl: true, mode: 'name', value: tool },
		argumentsMode: 'json',
		argumentsJson,
		options: {},
	};
	return toolCall(credential, parameters, settings, name);
}

/** The `call` of an item that left a node. */
export function callOf(execution: Execution, node = 'Call', item = 0, output = 0): Json {
	return asJson(jsonOf(execution, node, output)[item]?.call, `call of item ${String(item)}`);
}

/** The `call.park` of an item that left a node. */
export function parkOf(execution: Execution, node = 'Call', item = 0): Json {
	return asJson(callOf(execution, node, item).park, `call.park of item ${String(item)}`);
}

/** The address that an item shows while it is parked. */
export function shownUrl(execution: Execution, node = 'Call', item = 0): string {
	return String(parkOf(execution, node, item).resumeUrl);
}

/** Activates a workflow with a webhook trigger, calls the trigger, and gives the execution's id. */
export async function runInProduction(
	rest: N8nRest,
	spec: WorkflowSpec,
	path: string,
): Promise<{ readonly workflowId: string; readonly executionId: string }> {
	const { id } = await rest.createWorkflow(spec);
	await rest.activate(id);
	const response = await fetch(rest.webhookUrl(path), { method: 'POST' });
	if (!response.ok) throw new Error(`The trigger answered ${String(response.status)}.`);
	const executionId = await until(
		async () => (await rest.listExecutions(id))[0]?.id,
		20_000,
		() => 'The trigger started no execution',
	);
	return { workflowId: id, executionId };
}
