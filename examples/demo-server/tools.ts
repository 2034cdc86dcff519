import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';

import { addCheckInvoices } from './checkInvoices.ts';
import { addPaymentTools } from './paymentTools.ts';
import { addWaitingTools } from './waitingTools.ts';

export type DemoOptions = {
	readonly effectsFile: string;
	/** How long the supplier thinks before it answers a quote. */
	readonly quoteDelayMs: number;
	/** How long `check_invoices` takes for each invoice. */
	readonly checkDelayMs: number;
};

/** A server with all tools, not yet connected. One is needed per stdio process or HTTP session. */
export function createDemoServer({
	effectsFile,
	quoteDelayMs,
	checkDelayMs,
}: DemoOptions): McpServer {
	const server = new McpServer({ name: 'salvor-demo-server', version: '0.1.0' });
	addPaymentTools(server, effectsFile);
	addCheckInvoices(server, checkDelayMs);
	addWaitingTools(server, effectsFile, quoteDelayMs);
	return server;
}
