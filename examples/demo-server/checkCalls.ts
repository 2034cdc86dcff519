import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';

import type { Verdict, Verifier } from './provenance.ts';

/** JSON-RPC's "invalid request": the caller knows by it that no tool ran. */
const INVALID_REQUEST = -32600;

/**
 * Connects a server whose calls are checked before it gets them: it says on standard error where each comes from, and turns
 * away those whose signature does not fit.
 */
export const checkCalls = (
	server: McpServer,
	verifier: Verifier,
): { readonly connect: (transport: Transport) => Promise<void> } => ({
	connect: async (transport) => {
		await server.connect(transport);
		const receive = transport.onmessage;
		transport.onmessage = (message, extra) => {
			const refusal = checkMessage(message, verifier);
			if (refusal === undefined) receive?.(message, extra);
			else transport.send(refusal).catch(console.error);
		};
	},
});

/** The answer to a call that is turned away. */
function checkMessage(message: JSONRPCMessage, verifier: Verifier): JSONRPCMessage | undefined {
	if (!('method' in message && 'id' in message) || message.method !== 'tools/call')
		return undefined;
	const verdict = verifier(message.params ?? {});
	if (verdict.kind !== 'anonymous') {
		console.error(`${String(message.params?.['name'])}: ${describe(verdict)}`);
	}
	if (verdict.kind !== 'refused') return undefined;
	const problem = `The call is refused: ${verdict.problem}`;
	return { jsonrpc: '2.0', id: message.id, error: { code: INVALID_REQUEST, message: problem } };
}

function describe(verdict: Exclude<Verdict, { readonly kind: 'anonymous' }>): string {
	if (verdict.kind === 'refused') return `refused, ${verdict.problem}`;
	const { workflow, execution, node, item, attempt, call } = verdict.provenance;
	const from = `from workflow ${workflow}, execution ${execution}, node ${JSON.stringify(node)}, item ${String(item)}, attempt ${String(attempt)} of call ${call}`;
	if (verdict.kind === 'verified') return `${from}; signature verified`;
	return `${from}; ${verdict.isSigned ? 'signature not checked' : 'not signed'}`;
}
