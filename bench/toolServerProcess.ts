import { listed, startToolServer, text } from '../test/support/servers/toolServer.ts';

// A tool server in a process of its own, so that what it takes is not counted as its client's. It ends with its parent.
const inputSchema = {
	type: 'object',
	properties: {
		claim_id: { type: 'string', minLength: 1, maxLength: 64 },
		amount: { type: 'number', minimum: 0 },
		currency: { enum: ['EUR', 'USD', 'GBP'] },
		note: { type: 'string', maxLength: 500 },
		lines: {
			type: 'array',
			items: {
				type: 'object',
				properties: { item: { type: 'string' }, price: { type: 'number' } },
				required: ['item', 'price'],
			},
		},
	},
	required: ['claim_id', 'amount', 'currency'],
};
const tools = ['pay', 'pay_once', 'list_claims', 'find_claim', 'close_claim'].map((name) => ({
	listed: listed(name, undefined, inputSchema),
	answer: () => ({ ...text('paid'), structuredContent: { paid: true, receipt: 'R-2026-0417' } }),
}));

const server = await startToolServer(tools);
process.once('disconnect', () => void server.stop());
process.send?.(server.endpoint);
