import type { Json } from '../../../scripts/host/json';
import { until } from '../../../scripts/host/until';
import { listed, refusal, type SeenCall, startToolServer, text, toolError } from './toolServer';

/** What the server does with one request for an invoice. */
export type Behaviour =
	/** Charges and answers. */
	| 'pays'
	/** Charges, and cuts the connection in place of an answer. */
	| 'cuts'
	/** Charges, and answers when the test lets it. */
	| 'waits'
	/** Charges, and asks a person first. */
	| 'asks'
	/** Answers with the tool's own error. */
	| 'declines'
	/** Refuses the request before it is looked at. */
	| 'refuses';

export interface PaymentsServer {
	readonly endpoint: string;
	/** Says what becomes of the requests for an invoice, one after the other; the last holds on. */
	readonly behave: (invoice: string, ...behaviours: readonly Behaviour[]) => void;
	/** How many requests for an invoice came. */
	readonly requests: (invoice: string) => number;
	/** How often an invoice was charged. */
	readonly charges: (invoice: string) => number;
	/** Resolves when a request for the invoice waits. */
	readonly waiting: (invoice: string) => Promise<void>;
	/** Lets the waiting requests for an invoice have their answer. */
	readonly answer: (invoice: string) => void;
	readonly stop: () => Promise<void>;
}

/** An MCP server that takes payments: `pay` is a write, `ensure` idempotent, `look` a read; each names an `invoice`. */
export async function startPaymentsServer(): Promise<PaymentsServer> {
	const scripts = new Map<string, Behaviour[]>();
	const charged: string[] = [];
	const waiting: { readonly invoice: string; readonly answer: () => void }[] = [];

	const act = async ({ arguments: args }: SeenCall): Promise<unknown> => {
		const invoice = String(args.invoice);
		const script = scripts.get(invoice) ?? ['pays'];
		const behaviour = script.length > 1 ? script.shift() : script[0];
		if (behaviour === 'refuses') return refusal(429, { 'retry-after': '0' });
		if (behaviour === 'declines') return toolError('no funds');
		charged.push(invoice);
		if (behaviour === 'cuts') throw new Error('The connection is cut');
		if (behaviour === 'asks') return ask;
		if (behaviour === 'waits') {
			await new Promise<void>((answer) => waiting.push({ invoice, answer }));
		}
		return text(`charge ${String(charged.length)}`);
	};
	const server = await startToolServer([
		{ listed: listed('pay'), answer: act },
		{ listed: listed('ensure', { idempotentHint: true }), answer: act },
		{ listed: listed('look', { readOnlyHint: true }), answer: act },
	]);
	return {
		endpoint: server.endpoint,
		behave: (invoice, ...behaviours) => {
			scripts.set(invoice, [...behaviours]);
		},
		requests: (invoice) =>
			server.calls.filter(({ arguments: args }) => args.invoice === invoice).length,
		charges: (invoice) => charged.filter((one) => one === invoice).length,
		waiting: async (invoice) => {
			await until(
				() => Promise.resolve(waiting.some((one) => one.invoice === invoice) || undefined),
				30_000,
				() => `Nothing waits for the invoice ${invoice}`,
			);
		},
		answer: (invoice) => {
			for (const one of waiting) if (one.invoice === invoice) one.answer();
		},
		stop: server.stop,
	};
}

const ask: Json = {
	content: [],
	_meta: { salvor: { suspend: { reason: 'Approve the payment', input_schema: true } } },
};
