/** Starts the demo server: `node server.ts stdio`, or `node server.ts http --port 5690`. */
import { parseArgs } from 'node:util';

import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';

import { checkCalls } from './checkCalls.ts';
import { effectsFile } from './effects.ts';
import { listenHttp } from './http.ts';
import { createVerifier, type Verifier } from './provenance.ts';
import { createDemoServer, type DemoOptions } from './tools.ts';

const USAGE = 'Usage: node server.ts stdio | node server.ts http [--port 5690]';

try {
	await main();
} catch (error) {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
}

async function main(): Promise<void> {
	const { positionals, values } = parseArgs({
		allowPositionals: true,
		options: { port: { type: 'string', default: '5690' } },
	});
	const options: DemoOptions = {
		effectsFile: effectsFile(process.env),
		quoteDelayMs: delayMs('DEMO_QUOTE_DELAY_MS'),
		checkDelayMs: delayMs('DEMO_CHECK_DELAY_MS'),
	};
	const verifier = verifierFor(process.env['DEMO_PROVENANCE_KEY'] ?? '');
	const newServer = () => checkCalls(createDemoServer(options), verifier);
	switch (positionals.join(' ')) {
		case 'stdio':
			// Standard output belongs to the protocol: everything else goes to standard error.
			return newServer().connect(new StdioServerTransport());
		case 'http':
			return serveHttp(wholeNumber('--port', values.port), newServer);
		default:
			throw new Error(USAGE);
	}
}

function verifierFor(key: string): Verifier {
	try {
		return createVerifier(key === '' ? undefined : key);
	} catch (error) {
		const problem = error instanceof Error ? error.message : String(error);
		throw new Error(`DEMO_PROVENANCE_KEY cannot be used: ${problem}`, { cause: error });
	}
}

async function serveHttp(
	port: number,
	newServer: () => ReturnType<typeof checkCalls>,
): Promise<void> {
	const listening = await listenHttp(port, newServer).catch((error: unknown) => {
		const taken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
		throw taken ? new Error(`Port ${String(port)} is in use; choose another with --port.`) : error;
	});
	const stop = (): void => void listening.close();
	process.once('SIGINT', stop).once('SIGTERM', stop);
	console.log(`listening on ${listening.url}`);
}

function delayMs(variable: string): number {
	return wholeNumber(variable, process.env[variable] ?? '1500');
}

function wholeNumber(name: string, text: string): number {
	if (!/^\d{1,7}$/.test(text)) {
		throw new Error(`${name} must be a whole number, and not ${JSON.stringify(text)}.`);
	}
	return Number(text);
}
