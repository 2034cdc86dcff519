import type { SoakOrder } from './control.ts';
import type { SoakArguments, ToolName } from './tools.ts';

/** What a client sends, as far as the misbehaving servers look. */
export interface Frame {
	readonly id?: number;
	readonly method?: string;
	readonly params?: {
		readonly name?: ToolName;
		readonly arguments?: SoakArguments;
		readonly protocolVersion?: string;
		/** Of a notification that a request is cancelled. */
		readonly requestId?: number;
		readonly _meta?: { readonly progressToken?: unknown };
	};
}

/** More than n8n is told to take in one answer. */
const HUGE_BYTES = 2 * 1024 * 1024;
const PROGRESS_STEPS = 2_000;

/** What an answer to a parked call has to look like: an object that carries the call's number. */
const answerSchema = {
	type: 'object',
	properties: { n: { type: 'integer' }, approved: { type: 'boolean' } },
	required: ['n', 'approved'],
	additionalProperties: false,
};

export const greeting = ({ params }: Frame) => ({
	protocolVersion: params?.protocolVersion,
	capabilities: { tools: {} },
	serverInfo: { name: 'soak', version: '1.0.0' },
});

/** The number of the call that a frame makes. */
export const numberOf = ({ params }: Frame): number => params?.arguments?.n ?? 0;

/** A flood of notifications for the call that a frame makes. */
export const progressOf = ({ params }: Frame): readonly unknown[] =>
	Array.from({ length: PROGRESS_STEPS }, (_, step) => ({
		jsonrpc: '2.0',
		method: 'notifications/progress',
		params: {
			progressToken: params?._meta?.progressToken,
			progress: step + 1,
			total: PROGRESS_STEPS,
		},
	}));

/** The frame that answers the call, where anything answers it; else the good one, to be cut or held back. */
export function answerOf(frame: Frame, { trouble, until }: SoakOrder): unknown {
	const { id, params } = frame;
	const n = numberOf(frame);
	const result = (value: unknown) => ({ jsonrpc: '2.0', id, result: value });
	const error = (code: number) => ({ jsonrpc: '2.0', id, error: { code, message: 'As drawn' } });
	const text = (value: string) => [{ type: 'text', text: value }];
	const park = (salvor: unknown) => result({ content: [], _meta: { salvor } });
	switch (trouble) {
		case 'tool error':
			return result({ content: text(`no luck with ${String(n)}`), isError: true });
		case 'error frame':
			return error(-32000);
		case 'refusing frame':
			return error(-32601);
		case 'unreadable result':
			return result('text');
		case 'huge':
		case 'huge in a stream':
			return result({ content: text('x'.repeat(HUGE_BYTES)) });
		case 'asks':
			return park({ suspend: { reason: `Approve ${String(n)}?`, input_schema: answerSchema } });
		case 'sleeps':
		case 'sleeps long':
			return park({ sleep_until: until });
		case 'broken park':
			return park({ sleep_until: 'in a while' });
		default:
			return result({ content: text('done'), structuredContent: { n, tool: params?.name } });
	}
}
