import { setTimeout as pause } from 'node:timers/promises';

import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';

import { recordEffect } from './effects.ts';
import { failed, parked } from './results.ts';
import { postSignal } from './signal.ts';

/** The request's `_meta` key that carries the caller's resume URL, when its operator shares it. */
const RESUME_URL_KEY = 'io.github.n8n-nodes-salvor/resume-url';

const TEN_YEARS_SECONDS = 10 * 365 * 24 * 60 * 60;

/** Registers `request_quote`, `schedule_reminder` and `broken_park`. */
export function addWaitingTools(server: McpServer, file: string, quoteDelayMs: number): void {
	server.registerTool(
		'request_quote',
		{
			title: 'Request quote',
			description: 'Asks a supplier for a price. The caller waits until the supplier has answered.',
			inputSchema: {
				item: z.string().min(1).describe('What to buy, for example "oak shelf"'),
				quantity: z.number().int().positive(),
			},
			annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: true },
		},
		({ item, quantity }, { _meta }) => {
			recordEffect(file, { effect: 'quote.requested', item, quantity });
			const resumeUrl = _meta?.[RESUME_URL_KEY];
			if (typeof resumeUrl === 'string') {
				void answerLater(file, resumeUrl, item, quantity, quoteDelayMs);
			}
			const reason = `A supplier's quote for ${String(quantity)} × ${item}`;
			return parked({ suspend: { reason, input_schema: quoteSchema, kind: 'signal' } }, reason);
		},
	);

	server.registerTool(
		'schedule_reminder',
		{
			title: 'Schedule reminder',
			description: 'Lets the caller sleep for some seconds or until an instant.',
			inputSchema: {
				text: z.string().min(1).describe('What to be reminded of'),
				seconds: z
					.number()
					.positive()
					.max(TEN_YEARS_SECONDS)
					.optional()
					.describe('How long to sleep; leave "at" out'),
				at: z
					.string()
					.datetime({ offset: true })
					.optional()
					.describe('When to wake, such as 2026-12-24T09:00:00Z; leave "seconds" out'),
			},
			annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
		},
		({ text, seconds, at }) => {
			if ((seconds === undefined) === (at === undefined)) {
				return failed('Give exactly one of "seconds" and "at".');
			}
			const wake = at === undefined ? Date.now() + (seconds ?? 0) * 1000 : Date.parse(at);
			const until = new Date(wake).toISOString();
			recordEffect(file, { effect: 'reminder.scheduled', text, until });
			return parked({ sleep_until: until }, `Sleeping until ${until}: ${text}`);
		},
	);

	// Wrong on purpose: shows how a caller refuses a park it cannot read.
	server.registerTool(
		'broken_park',
		{
			title: 'Broken park',
			description: 'Answers with a malformed park (sleepUntil instead of sleep_until).',
			annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
		},
		() => {
			recordEffect(file, { effect: 'park.broken' });
			return {
				content: [{ type: 'text', text: 'This park is malformed on purpose.' }],
				_meta: { salvor: { sleepUntil: new Date().toISOString() } },
			};
		},
	);
}

const quoteSchema = {
	type: 'object',
	properties: {
		supplier: { type: 'string', title: 'Supplier', minLength: 1 },
		price: { type: 'number', title: 'Price', exclusiveMinimum: 0 },
		currency: { type: 'string', title: 'Currency', enum: ['EUR', 'GBP', 'USD'] },
		delivery_days: { type: 'integer', title: 'Delivery time in days', minimum: 0 },
	},
	required: ['supplier', 'price'],
	additionalProperties: false,
} as const;

const UNIT_PRICE = 12.4;

/** Plays the supplier. The resume URL is used once and neither logged nor stored: who has it may answer. */
async function answerLater(
	file: string,
	resumeUrl: string,
	item: string,
	quantity: number,
	delayMs: number,
): Promise<void> {
	await pause(delayMs, undefined, { ref: false });
	const delivery = await postSignal(resumeUrl, {
		supplier: 'Harbour Timber Ltd',
		price: Math.round(UNIT_PRICE * quantity * 100) / 100,
		currency: 'EUR',
		delivery_days: 5,
	});
	if (delivery.kind === 'delivered') {
		recordEffect(file, { effect: 'quote.answered', item, attempts: delivery.attempts });
	} else {
		const { attempts, problem } = delivery;
		console.error(`The quote was not delivered (${String(attempts)} tries): ${problem}`);
	}
}
