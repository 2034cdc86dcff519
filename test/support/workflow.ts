import { randomUUID } from 'node:crypto';
import type { Json } from '../../scripts/host/json';
import type { CredentialReference, WorkflowSpec } from '../../scripts/host/n8nRest';

/** A node of a workflow under test; what is absent gets n8n's defaults. */
export interface NodeSpec {
	readonly name: string;
	readonly type: string;
	readonly typeVersion?: number;
	readonly parameters?: Json;
	readonly credentials?: Readonly<Record<string, CredentialReference>>;
	/** Settings beside the parameters, such as `onError` or `retryOnFail`. */
	readonly settings?: Json;
}

/** One wire: from a node's output to a node's first input. */
export interface Wire {
	readonly from: string;
	readonly output?: number;
	readonly to: string;
	/** `main` when absent. */
	readonly type?: 'main' | 'ai_tool' | 'ai_languageModel';
}

/** The names that the two node types have in an n8n where the package is installed. */
export const toolCallType = 'n8n-nodes-salvor.mcpToolCall';
/** What n8n makes of the call node for an AI Agent. */
export const agentToolType = 'n8n-nodes-salvor.mcpToolCallTool';
export const toolPickerType = 'n8n-nodes-salvor.mcpToolPicker';
export const callLedgerType = 'n8n-nodes-salvor.callLedger';

/** The trigger that a manual run starts from. */
export function manualTrigger(name = 'Start'): NodeSpec {
	return { name, type: 'n8n-nodes-base.manualTrigger' };
}

/** When a webhook trigger answers its caller; at once when not told. */
export type ResponseMode = 'onReceived' | 'lastNode' | 'responseNode' | 'streaming';

/** The trigger of a production run: `POST <base>/webhook/<path>` starts it. */
export function webhookTrigger(
	path: string,
	responseMode: ResponseMode = 'onReceived',
	name = 'Start',
): NodeSpec {
	return {
		name,
		type: 'n8n-nodes-base.webhook',
		typeVersion: 2.1,
		parameters: { path, httpMethod: 'POST', responseMode, options: {} },
		settings: { webhookId: randomUUID() },
	};
}

/** Answers the caller of a trigger in mode `responseNode` with the first item that comes in. */
export function respond(name = 'Respond'): NodeSpec {
	return {
		name,
		type: 'n8n-nodes-base.respondToWebhook',
		typeVersion: 1.4,
		parameters: { respondWith: 'firstIncomingItem', options: {} },
	};
}

/** Makes one item of each object. */
export function items(objects: readonly Json[], name = 'Items'): NodeSpec {
	return {
		name,
		type: 'n8n-nodes-base.code',
		typeVersion: 2,
		parameters: { jsCode: `return ${JSON.stringify(objects.map((json) => ({ json })))};` },
	};
}

/** Adds fields, each the value of an expression such as `{{ $json.output }}`. */
export function setFields(fields: Readonly<Record<string, string>>, name = 'After'): NodeSpec {
	const assignments = Object.entries(fields).map(([field, expression]) => ({
		id: randomUUID(),
		name: field,
		type: 'string',
		value: `=${expression}`,
	}));
	return {
		name,
		type: 'n8n-nodes-base.set',
		typeVersion: 3.4,
		parameters: { assignments: { assignments }, options: {} },
	};
}

/** Does nothing: its input is what the node before it let out. */
export function nothing(name = 'After'): NodeSpec {
	return { name, type: 'n8n-nodes-base.noOp' };
}

/** Our call node. */
export function toolCall(
	credential: CredentialReference,
	parameters: Json,
	settings: Json = {},
	name = 'Call',
): NodeSpec {
	const credentials = { mcpConnectionApi: credential };
	return { name, type: toolCallType, parameters, credentials, settings };
}

/** Our call node with a credential that gets its token by OAuth2. */
export function oauthToolCall(
	credential: CredentialReference,
	parameters: Json,
	settings: Json = {},
): NodeSpec {
	return {
		...toolCall(credential, { authentication: 'oAuth2', ...parameters }, settings),
		credentials: { mcpConnectionOAuth2Api: credential },
	};
}

/** Our picker node. */
export function toolPicker(
	credential: CredentialReference,
	parameters: Json,
	settings: Json = {},
	name = 'Pick',
): NodeSpec {
	const credentials = { mcpConnectionApi: credential };
	return { name, type: toolPickerType, parameters, credentials, settings };
}

/** Our ledger node. */
export function callLedger(parameters: Json, name = 'Ledger'): NodeSpec {
	return { name, type: callLedgerType, parameters };
}

/** A workflow of nodes, one after the other unless `wires` says otherwise. */
export function workflow(
	nodes: readonly NodeSpec[],
	wires: readonly Wire[] = inARow(nodes),
): WorkflowSpec {
	return {
		name: `Test ${randomUUID()}`,
		nodes: nodes.map((node, index) => ({
			id: randomUUID(),
			name: node.name,
			type: node.type,
			typeVersion: node.typeVersion ?? 1,
			position: [index * 220, 300],
			parameters: node.parameters ?? {},
			...(node.credentials === undefined ? {} : { credentials: node.credentials }),
			...node.settings,
		})),
		connections: connections(wires),
		settings: { executionOrder: 'v1' },
	};
}

function inARow(nodes: readonly NodeSpec[]): readonly Wire[] {
	return nodes.slice(1).map((node, index) => ({ from: nodes[index]?.name ?? '', to: node.name }));
}

function connections(wires: readonly Wire[]): Json {
	const sources = [...new Set(wires.map(({ from }) => from))];
	return Object.fromEntries(
		sources.map((source) => [source, outputsOf(wires.filter(({ from }) => from === source))]),
	);
}

function outputsOf(wires: readonly Wire[]): Json {
	const types = [...new Set(wires.map(({ type = 'main' }) => type))];
	return Object.fromEntries(
		types.map((type) => {
			const own = wires.filter((wire) => (wire.type ?? 'main') === type);
			const outputs = Math.max(...own.map(({ output = 0 }) => output)) + 1;
			const byOutput = Array.from({ length: outputs }, (_, index) =>
				own
					.filter(({ output = 0 }) => output === index)
					.map(({ to }) => ({ node: to, type, index: 0 })),
			);
			return [type, byOutput];
		}),
	);
}
