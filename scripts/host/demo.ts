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
let ending: Promise<void> | undefined;

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
	process.on(signal, () => {
		process.exitCode = 130;
		void end().then(() => process.exit());
	});
}

try {
	await demo();
	say('Everything went as it should.');
} catch (error) {
	if (ending === undefined) {
		say(`FAILED: ${error instanceof Error ? error.message : String(error)}`);
		process.exitCode = 1;
	}
} finally {
	await end();
}

async function demo(): Promise<void> {
	await installN8n(say);
	await ensureBuilt();
	folder = await mkdtemp(path.join(tmpdir(), 'salvor-demo-'));
	demoServer = await startDemoServer({ effectsFile: path.join(folder, 'effects.jsonl') });
	say(`The demo MCP server listens on ${demoServer.endpoint}.`);
	say('Starting n8n …');
	n8n = await startN8n({
		userFolder: folder,
		extension: 'package',
		env: { SALVOR_STDIO_COMMANDS: stdioCommands([demoServerCommand]) },
	});
	say(`n8n answers on ${n8n.baseUrl}.`);
	await n8n.rest.signIn(demoOwner);
	const record = path.join(folder, 'imported.json');
	const contents: DemoContents = await importDemoContents(n8n.rest, demoServer, record);
	const count = Object.keys(contents.workflows).length;
	say(`Signed in; ${String(count)} example workflows and their credentials are imported.`);
	await runScenario({ rest: n8n.rest, contents, effectsFile: demoServer.effectsFile, say });
}

async function end(): Promise<void> {
	ending ??= (async () => {
		await Promise.all([n8n?.stop(), demoServer?.stop()]);
		if (folder !== undefined) await rm(folder, { recursive: true, force: true });
	})();
	await ending;
}

function say(line: string): void {
	const seconds = ((performance.now() - startedAt) / 1000).toFixed(1).padStart(6);
	console.log(`${seconds} s  ${line}`);
}
