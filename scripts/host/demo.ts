import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { demoOwner, importDemoContents } from './demoContents.ts';
import type { DemoContents } from './demoContents.ts';
import { runScenario } from './demoScenario.ts';
import { startDemoServer } from './demoServer.ts';
import type { DemoServer } from './demoServer.ts';
import { ensureBuilt } from './ensureBuilt.ts';
import { installN8n } from './installN8n.ts';
import { startN8n } from './n8nInstance.ts';
import type { N8nInstance } from './n8nInstance.ts';
import { demoServerCommand, stdioCommands } from './stdioCommands.ts';

const startedAt = performance.now();
let folder: string | undefined;
let demoServer: DemoServer | undefined;
let n8n: N8nInstance | undefined;

/** Without n8n the scenario cannot go on, so it ends by itself. */
const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
	process.on(signal, () => {
		stop.abort();
		void n8n?.stop();
	});
}

try {
	await demo();
	say('Everything went as it should.');
} catch (error) {
	const interrupted = stop.signal.aborted;
	const problem = error instanceof Error ? error.message : String(error);
	say(interrupted ? 'Interrupted.' : `FAILED: ${problem}`);
	process.exitCode = interrupted ? 130 : 1;
} finally {
	await Promise.all([n8n?.stop(), demoServer?.stop()]);
	if (folder !== undefined) await rm(folder, { recursive: true, force: true });
}

async function demo(): Promise<void> {
	await installN8n(say, stop.signal);
	await ensureBuilt();
	stop.signal.throwIfAborted();
	folder = await mkdtemp(path.join(tmpdir(), 'salvor-demo-'));
	demoServer = await startDemoServer({ effectsFile: path.join(folder, 'effects.jsonl') });
	say(`The demo MCP server listens on ${demoServer.endpoint}.`);
	say('Starting n8n …');
	n8n = await startN8n({
		userFolder: folder,
		extension: 'package',
		env: { SALVOR_STDIO_COMMANDS: stdioCommands([demoServerCommand]) },
		signal: stop.signal,
	});
	say(`n8n answers on ${n8n.baseUrl}.`);
	await n8n.rest.signIn(demoOwner);
	const record = path.join(folder, 'imported.json');
	const contents: DemoContents = await importDemoContents(n8n.rest, demoServer, record);
	const count = Object.keys(contents.workflows).length;
	say(`Signed in; ${String(count)} example workflows and their credentials are imported.`);
	const { endpoint, effectsFile, logTail: serverLog } = demoServer;
	await runScenario({ rest: n8n.rest, contents, effectsFile, endpoint, serverLog, say });
}

function say(line: string): void {
	const seconds = ((performance.now() - startedAt) / 1000).toFixed(1).padStart(6);
	console.log(`${seconds} s  ${line}`);
}
