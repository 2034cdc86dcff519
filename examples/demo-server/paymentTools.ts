import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';

import { readEffects } from './effects.ts';
import { findInvoice, unknownInvoice } from './invoices.ts';
import {
	findPayment,
	money,
	registerPayment,
	settlePayment,
	type KnownPayment,
} from './payments.ts';
import { receiptPng } from './receipt.ts';
import { answered, failed, parked } from './results.ts';

/** Payments above this amount, in the invoice's currency, need a person. */
export const APPROVAL_LIMIT = 1000;

const paymentId = z
	.string()
	.regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/)
	.describe('Names the payment: letters, digits, ".", "_" and "-", at most 100');

/** Registers `get_invoice`, `request_payment`, `settle_payment` and `attach_receipt`. */
export function addPaymentTools(server: McpServer, file: string): void {
	server.registerTool(
		'get_invoice',
		{
			title: 'Get invoice',
			description: 'Looks an invoice up: supplier, amount, currency and due date.',
			inputSchema: { invoice_id: z.string().describe('For example INV-1001') },
			outputSchema: {
				invoice_id: z.string(),
				supplier: z.string(),
				amount: z.number(),
				currency: z.string(),
				due: z.string().describe('Calendar date, YYYY-MM-DD'),
			},
			annotations: { readOnlyHint: true, openWorldHint: false },
		},
		({ invoice_id }) => {
			const invoice = findInvoice(invoice_id);
			return invoice === undefined ? failed(unknownInvoice(invoice_id)) : answered(invoice);
		},
	);

	// Register, park, leave the deed to settle_payment: the answer goes to the caller, not to us.
	// No outputSchema: it would demand structured content, and a parked result has none.
	server.registerTool(
		'request_payment',
		{
			title: 'Request payment',
			description: `Registers a payment without making it. Above ${String(APPROVAL_LIMIT)} a person must approve it before settle_payment is called.`,
			inputSchema: {
				invoice_id: z.string().describe('The invoice to pay, for example INV-1001'),
				amount: z
					.number()
					.positive()
					.optional()
					.describe("In the invoice's currency; the whole invoice when left out"),
				payment_id: paymentId
					.optional()
					.describe(
						'Your name for this payment, to settle it with; pay-<invoice_id> when left out',
					),
			},
			annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
		},
		({ invoice_id, amount, payment_id }) => {
			const invoice = findInvoice(invoice_id);
			if (invoice === undefined) return failed(unknownInvoice(invoice_id));
			const { kind, payment } = registerPayment(file, {
				paymentId: payment_id ?? `pay-${invoice_id}`,
				invoiceId: invoice_id,
				supplier: invoice.supplier,
				amount: amount ?? invoice.amount,
				currency: invoice.currency,
			});
			if (kind === 'conflict') {
				return failed(
					`Payment ${payment.paymentId} is already registered as ${money(payment.amount, payment.currency)} for ${payment.invoiceId}; choose another payment_id.`,
				);
			}
			if (payment.amount <= APPROVAL_LIMIT || payment.settledAt !== undefined) {
				return answered({ approved: true, ...facts(payment) });
			}
			const reason = `Payment ${payment.paymentId} of ${money(payment.amount, payment.currency)} to ${payment.supplier} needs your approval`;
			return parked({ suspend: { reason, input_schema: approvalSchema } }, reason);
		},
	);

	// The server pays each payment_id once. It does not call itself idempotent: with money, the
	// operator decides what may be tried again, by naming payment_id as the tool's key.
	server.registerTool(
		'settle_payment',
		{
			title: 'Settle payment',
			description: 'Pays a registered payment, once. Call it only after the payment was approved.',
			inputSchema: { payment_id: paymentId },
			annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: false },
		},
		({ payment_id }) => {
			const settlement = settlePayment(file, payment_id);
			if (settlement.kind === 'unknown') return failed(neverRequested(payment_id));
			return answered({
				status: settlement.kind,
				...facts(settlement.payment),
				settled_at: settlement.settledAt,
			});
		},
	);

	server.registerTool(
		'attach_receipt',
		{
			title: 'Attach receipt',
			description: 'Draws the receipt of a settled payment as a PNG image.',
			inputSchema: { payment_id: paymentId },
			annotations: { readOnlyHint: true, openWorldHint: false },
		},
		({ payment_id }) => {
			const payment = findPayment(readEffects(file), payment_id);
			if (payment === undefined) return failed(neverRequested(payment_id));
			if (payment.settledAt === undefined) {
				return failed(`Payment ${payment_id} is not settled; call settle_payment first.`);
			}
			const sum = money(payment.amount, payment.currency);
			const png = receiptPng([
				payment_id,
				payment.invoiceId,
				payment.supplier,
				sum,
				payment.settledAt.slice(0, 10),
			]);
			return {
				content: [
					{
						type: 'text',
						text: `Receipt: ${sum} to ${payment.supplier}, settled at ${payment.settledAt}`,
					},
					{ type: 'image', data: png.toString('base64'), mimeType: 'image/png' },
				],
			};
		},
	);
}

const approvalSchema = {
	type: 'object',
	properties: {
		approved: { type: 'boolean', title: 'Approve this payment' },
		note: { type: 'string', title: 'Note' },
	},
	required: ['approved'],
	additionalProperties: false,
} as const;

function facts(payment: KnownPayment): Record<string, unknown> {
	return {
		payment_id: payment.paymentId,
		invoice_id: payment.invoiceId,
		supplier: payment.supplier,
		amount: payment.amount,
		currency: payment.currency,
	};
}

function neverRequested(id: string): string {
	return `Payment ${id} was never requested; call request_payment first.`;
}
