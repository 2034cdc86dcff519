import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { asArray, asJson } from '../../../scripts/host/json';
import type { Json } from '../../../scripts/host/json';

/** What the model does next: ask for tools, all in one turn, or end with a text. */
export type ModelTurn =
	| { readonly calls: readonly { readonly tool: string; readonly arguments: Json }[] }
	| { readonly says: string };

/** Decides the next turn from what the tools have answered so far, in the order of the conversation. */
export type ModelScript = (toolAnswers: readonly string[]) => ModelTurn;

/** One request that reached the model. */
export interface ModelRequest {
	readonly messages: readonly Json[];
	readonly tools: readonly Json[];
	/** The contents of its messages of role `tool`. */
	readonly toolAnswers: readonly string[];
}

export interface ModelServer {
	/** What belongs into Base URL of n8n's OpenAI credential. */
	readonly baseUrl: string;
	/** The name of a new model that follows the script. */
	readonly model: (script: ModelScript) => string;
	/** The requests to a model, in the order in which they came. */
	readonly requests: (model: string) => readonly ModelRequest[];
	readonly stop: () => Promise<void>;
}

/**
 * Starts a server on a free port of 127.0.0.1 that speaks OpenAI's chat completions, in one piece or streamed. A model
 * keeps no state: its script sees the conversation that each request brings, so it does not notice when n8n restarts.
 */
export async function startModelServer(): Promise<ModelServer> {
	const models = new Map<string, { script: ModelScript; requests: ModelRequest[] }>();
	const complete = (body: Json, response: ServerResponse): void => {
		const model = models.get(String(body.model));
		if (model === undefined) {
			response.writeHead(404, { 'content-type': 'application/json' });
			response.end(JSON.stringify({ error: { message: 'There is no such model' } }));
			return;
		}
		const request = readRequest(body);
		model.requests.push(request);
		const turn = model.script(request.toolAnswers);
		if (body.stream === true) {
			response.writeHead(200, { 'content-type': 'text/event-stream' });
			for (const chunk of chunks(String(body.model), turn)) {
				response.write(`data: ${JSON.stringify(chunk)}\n\n`);
			}
			response.end('data: [DONE]\n\n');
			return;
		}
		response.writeHead(200, { 'content-type': 'application/json' });
		response.end(JSON.stringify(completion(String(body.model), turn)));
	};
	const server = createServer((request, response) => {
		readAll(request)
			.then((body) => {
				complete(asJson(JSON.parse(body), 'The request'), response);
			})
			.catch(() => response.destroy());
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	return {
		baseUrl: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/v1`,
		model: (script) => {
			const name = `model-${randomUUID()}`;
			models.set(name, { script, requests: [] });
			return name;
		},
		requests: (model) => models.get(model)?.requests ?? [],
		stop: async () => {
			server.close();
			server.closeAllConnections();
			await once(server, 'close');
		},
	};
}

function readRequest(body: Json): ModelRequest {
	const messages = asArray(body.messages, 'Its messages').map((message) =>
		asJson(message, 'A message'),
	);
	const tools = asArray(body.tools ?? [], 'Its tools').map((tool) => asJson(tool, 'A tool'));
	const toolAnswers = messages
		.filter(({ role }) => role === 'tool')
		.map(({ content }) => (typeof content === 'string' ? content : JSON.stringify(content)));
	return { messages, tools, toolAnswers };
}

function completion(model: string, turn: ModelTurn): Json {
	const choice =
		'says' in turn
			? { finish_reason: 'stop', message: { role: 'assistant', content: turn.says } }
			: {
					finish_reason: 'tool_calls',
					message: { role: 'assistant', content: null, tool_calls: turn.calls.map(toolCall) },
				};
	return {
		id: randomUUID(),
		object: 'chat.completion',
		created: 0,
		model,
		choices: [{ index: 0, ...choice }],
		usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
	};
}

/** The same turn as a stream: what it holds in one chunk, and the end in another. */
function chunks(model: string, turn: ModelTurn): readonly Json[] {
	const [finish, delta] =
		'says' in turn
			? ['stop', { content: turn.says }]
			: [
					'tool_calls',
					{ tool_calls: turn.calls.map((call, index) => ({ index, ...toolCall(call) })) },
				];
	const head = { id: randomUUID(), object: 'chat.completion.chunk', created: 0, model };
	return [
		{
			...head,
			choices: [{ index: 0, delta: { role: 'assistant', ...delta }, finish_reason: null }],
		},
		{ ...head, choices: [{ index: 0, delta: {}, finish_reason: finish }] },
	];
}

const toolCall = ({
	tool,
	arguments: args,
}: {
	readonly tool: string;
	readonly arguments: Json;
}) => ({
	id: `call_${randomUUID()}`,
	type: 'function',
	function: { name: tool, arguments: JSON.stringify(args) },
});

async function readAll(request: IncomingMessage): Promise<string> {
	const chunks: Buffer[] = [];
	for await (const chunk of request) chunks.push(chunk as Buffer);
	return Buffer.concat(chunks).toString('utf8');
}
