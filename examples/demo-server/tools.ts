import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';

import { addPaymentTools } from './paymentTools.ts';
import { addWaitingTools } from './waitingTools.ts';

export type DemoOptions = {
	readonly effectsFile: string;
	/** How long the supplier thinks before it answers a quote. */
	readonly quoteDelayMs: number;
};

/** A server with all tools, not yet connected. One is needed per stdio process or HTTP session. */
export function createDemoServer({ effectsFile, quoteDelayMs }: DemoOptions): McpServer {
	const server = new McpServer({ name: 'salvor-demo-server', version: '0.1.0' });
	addPaymentTools(server, effectsFile);
	addWaitingTools(server, effectsFile, quoteDelayMs);
	return server;
}
