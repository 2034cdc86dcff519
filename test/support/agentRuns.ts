import type { Json } from '../../scripts/host/json';
import type { Execution } from '../../scripts/host/executionData';
import type { CredentialReference, N8nRest, WorkflowSpec } from '../../scripts/host/n8nRest';
import { until } from '../../scripts/host/until';
import { jsonOf } from './host';
import type { RelayCall } from './parkRuns';
import type { ModelServer, ModelTurn } from './servers/modelServer';
import { byName } from './calls';
import { agentToolType, manualTrigger, setFields, workflow } from './workflow';
import type { NodeSpec } from './workflow';

const LANGCHAIN = '@n8n/n8n-nodes-langchain';

export interface AgentSetting {
	readonly model: string;
	readonly modelCredential: CredentialReference;
	readonly tools: readonly NodeSpec[];
	/** 3.1 when absent; before 3, an agent runs its tools by itself. */
	readonly version?: number;
	/** A manual one when absent. */
	readonly trigger?: NodeSpec;
	/** An agent between this one and the tools, as its only tool `Helper`, with a model of its own. */
	readonly helperModel?: string;
}

export async function modelConnection(
	rest: N8nRest,
	server: ModelServer,
): Promise<CredentialReference> {
	return await rest.createCredential({
		name: 'Model',
		type: 'openAiApi',
		data: { apiKey: 'none', url: server.baseUrl, header: false },
	});
}

/** An AI Agent with a model and tools; `After` keeps its final text as `answer`. */
export function agentWorkflow(setting: AgentSetting): WorkflowSpec {
	const { model, modelCredential, tools, version = 3.1, helperModel } = setting;
	const { trigger = manualTrigger() } = setting;
	const agent: NodeSpec = {
		name: 'Agent',
		type: `${LANGCHAIN}.agent`,
		typeVersion: version,
		parameters: { promptType: 'define', text: 'Do it.', options: {} },
	};
	const row = [trigger, agent, setFields({ answer: '{{ $json.output }}' })];
	const owner = helperModel === undefined ? 'Agent' : 'Helper';
	const helper: readonly NodeSpec[] =
		helperModel === undefined
			? []
			: [
					{
						name: 'Helper',
						type: `${LANGCHAIN}.agentTool`,
						typeVersion: 3,
						parameters: { toolDescription: 'Helps', text: "={{ $fromAI('task') }}", options: {} },
					},
					chatModel('Helper model', helperModel, modelCredential),
				];
	return workflow(
		[...row, chatModel('Model', model, modelCredential), ...helper, ...tools],
		[
			...row.slice(1).map(({ name }, index) => ({ from: row[index]?.name ?? '', to: name })),
			{ from: 'Model', to: 'Agent', type: 'ai_languageModel' },
			...tools.map(({ name }) => ({ from: name, to: owner, type: 'ai_tool' as const })),
			...(helperModel === undefined
				? []
				: [
						{ from: 'Helper model', to: 'Helper', type: 'ai_languageModel' as const },
						{ from: 'Helper', to: 'Agent', type: 'ai_tool' as const },
					]),
		],
	);
}

function chatModel(name: string, model: string, credential: CredentialReference): NodeSpec {
	return {
		name,
		type: `${LANGCHAIN}.lmChatOpenAi`,
		typeVersion: 1.3,
		parameters: {
			model: { __rl: true, mode: 'id', value: model },
			responsesApiEnabled: false,
			options: {},
		},
		credentials: { openAiApi: credential },
	};
}

/** Our node as an agent's tool: the model gives the arguments as one JSON value, `request`. */
export function relayTool(
	credential: CredentialReference,
	parameters: Json = {},
	settings: Json = {},
	name = 'Relay',
): NodeSpec {
	return agentTool(
		credential,
		{
			operation: 'call',
			tool: byName('relay'),
			argumentsMode: 'json',
			argumentsJson: "={{ $fromAI('request', 'What to relay', 'json') }}",
			options: {},
			...parameters,
		},
		settings,
		name,
	);
}

export function agentTool(
	credential: CredentialReference,
	parameters: Json,
	settings: Json = {},
	name = 'Relay',
): NodeSpec {
	return {
		name,
		type: agentToolType,
		parameters: {
			descriptionType: 'manual',
			toolDescription: 'Relays a request',
			...parameters,
		},
		credentials: { mcpConnectionApi: credential },
		settings,
	};
}

/** A turn in which the model calls `relayTool`, once for each call. */
export const relays = (...calls: readonly RelayCall[]): ModelTurn => ({
	calls: calls.map((request) => ({ tool: 'Relay', arguments: { request } })),
});

/** Ends with everything the tools have answered. */
export const repeats = (toolAnswers: readonly string[]): ModelTurn => ({
	says: toolAnswers.join('\n'),
});

/** The agent's final text. */
export const finalText = (execution: Execution): string =>
	String(jsonOf(execution, 'After')[0]?.answer);

/** What a tool answered, as n8n hands it to the model: a list of the items that left the tool. */
export const answered = (...json: readonly unknown[]): string => JSON.stringify(json);

/** Resolves when the address shows a wait for this reason. */
export async function waitsFor(url: string, reason: string, timeoutMs = 30_000): Promise<void> {
	await until(
		async () => {
			const shown = await fetch(url, { headers: { accept: 'application/json' } });
			return (await shown.text()).includes(reason) ? true : undefined;
		},
		timeoutMs,
		() => `Nothing waits for "${reason}"`,
	);
}
