import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { inParallel } from './inParallel.ts';
import type { Peer, RawAnswer, RawRun } from './rawCalls.ts';

const kept = new Map<Peer['kind'], Client>();

process.on('message', (run: RawRun) => {
	void answer(run).then((answered) => process.send?.(answered));
});
process.once('disconnect', () => process.exit());

async function answer(run: RawRun): Promise<RawAnswer> {
	try {
		return { tookMs: await (run.isWarm ? warm(run) : cold(run)) };
	} catch (error) {
		return { problem: error instanceof Error ? error.message : String(error) };
	}
}

async function warm(run: RawRun): Promise<number> {
	const client = kept.get(run.peer.kind) ?? (await connect(run.peer));
	kept.set(run.peer.kind, client);
	const begunAt = performance.now();
	await callAll(client, run);
	return performance.now() - begunAt;
}

/** Closing is left out, as n8n leaves it out where a node closes after its run. */
async function cold(run: RawRun): Promise<number> {
	const begunAt = performance.now();
	const client = await connect(run.peer);
	await callAll(client, run);
	const tookMs = performance.now() - begunAt;
	await client.close();
	return tookMs;
}

async function connect(peer: Peer): Promise<Client> {
	const client = new Client({ name: 'bench', version: '1.0.0' });
	await client.connect(transportTo(peer));
	return client;
}

function transportTo(peer: Peer): Transport {
	if (peer.kind === 'http') return new StreamableHTTPClientTransport(new URL(peer.endpoint));
	return new StdioClientTransport({ command: peer.command, args: [...peer.args] });
}

async function callAll(client: Client, { tool, calls, atOnce }: RawRun): Promise<void> {
	const numbers = Array.from({ length: calls }, (_, n) => n);
	await inParallel(numbers, atOnce, (n) => client.callTool({ name: tool, arguments: { n } }));
}
