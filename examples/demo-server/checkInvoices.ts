import { setTimeout as pause } from 'node:timers/promises';

import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';

import { invoices } from './invoices.ts';
import { answered } from './results.ts';

/** Registers `check_invoices`, which takes its time: it tells its progress, and ends when it is cancelled. */
export function addCheckInvoices(server: McpServer, delayMs: number): void {
	server.registerTool(
		'check_invoices',
		{
			title: 'Check invoices',
			description: 'Goes over all invoices slowly and answers those that are due by a date.',
			inputSchema: {
				due_by: z.string().date().describe('Calendar date, for example 2026-12-31'),
			},
			outputSchema: {
				due: z
					.array(
						z.object({
							invoice_id: z.string(),
							supplier: z.string(),
							amount: z.number(),
							currency: z.string(),
							due: z.string(),
						}),
					)
					.describe('The earliest first'),
				checked: z.number().int().describe('How many invoices there are'),
			},
			annotations: { readOnlyHint: true, openWorldHint: false },
		},
		async ({ due_by }, { _meta, sendNotification, signal }) => {
			const total = invoices.length;
			// Only a call that names a token wants to hear of its progress.
			const progressToken = _meta?.progressToken;
			for (const [index, { invoice_id, due }] of invoices.entries()) {
				try {
					await pause(delayMs, undefined, { signal });
				} catch (error) {
					// What is returned or thrown now goes nowhere: nobody waits for the answer.
					console.error(
						`check_invoices: cancelled after ${String(index)} of ${String(total)} invoices`,
					);
					throw error;
				}
				if (progressToken === undefined) continue;
				const message = `${invoice_id} is due on ${due}`;
				const params = { progressToken, progress: index + 1, total, message };
				await sendNotification({ method: 'notifications/progress', params });
			}
			const due = invoices
				.filter((invoice) => invoice.due <= due_by)
				.sort((one, other) => one.due.localeCompare(other.due));
			return answered({ due, checked: total });
		},
	);
}
