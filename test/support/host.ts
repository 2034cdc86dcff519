import { inject } from 'vitest';
import type { Execution, ExecutionStatus, Item } from '../../scripts/host/executionData';
import type { Json } from '../../scripts/host/json';
import { n8nRest } from '../../scripts/host/n8nRest';
import type { CredentialReference, N8nRest, WorkflowSpec } from '../../scripts/host/n8nRest';
import type { AllowedCommand } from '../../scripts/host/stdioCommands';
import type { SharedHost } from './hostSetup';

export { toolCallType, toolPickerType } from './workflow';

export interface Host extends SharedHost {
	/** Signed in as the owner. */
	readonly rest: N8nRest;
}

/** The n8n and the demo server that all host tests share. */
export function host(): Host {
	const shared = inject('sharedHost');
	return { ...shared, rest: n8nRest(shared.baseUrl, shared.cookie) };
}

/** A new credential for a server over streamable HTTP; the demo server unless told otherwise. */
export async function httpConnection(rest: N8nRest, data: Json = {}): Promise<CredentialReference> {
	return await rest.createCredential({
		name: 'HTTP connection',
		type: 'mcpConnectionApi',
		data: {
			transport: 'streamableHttp',
			...(data.endpoint === undefined ? { endpoint: inject('sharedHost').demoEndpoint } : {}),
			serverName: 'demo',
			...data,
		},
	});
}

/** A new credential for a server over stdio. */
export async function stdioConnection(
	rest: N8nRest,
	[command, ...args]: AllowedCommand,
	data: Json = {},
): Promise<CredentialReference> {
	return await rest.createCredential({
		name: 'stdio connection',
		type: 'mcpConnectionApi',
		data: {
			transport: 'stdio',
			command,
			arguments: { argument: args.map((value) => ({ value })) },
			serverName: 'demo',
			...data,
		},
	});
}

/** Stores the workflow, runs it by hand, and waits until it has one of the statuses. */
export async function runUntil(
	rest: N8nRest,
	spec: WorkflowSpec,
	statuses: readonly ExecutionStatus[],
	timeoutMs?: number,
): Promise<Execution> {
	const { id } = await rest.createWorkflow(spec);
	return await rest.waitForExecution(await rest.runManually(id), statuses, timeoutMs);
}

/** The items that left a node by one output in its last run; none when it did not run. */
export function itemsOf(execution: Execution, node: string, output = 0): readonly Item[] {
	return execution.runData[node]?.at(-1)?.outputs[output] ?? [];
}

/** The same items' `json`. */
export function jsonOf(execution: Execution, node: string, output = 0): readonly Json[] {
	return itemsOf(execution, node, output).map(({ json }) => json);
}

/** Posts an answer to a resume address as JSON. */
export async function postAnswer(
	url: string,
	answer: unknown,
	headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
	return await fetch(url, {
		method: 'POST',
		headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
		body: JSON.stringify(answer),
	});
}
