import { createWriteStream, existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { demoOwner, importDemoContents, inboxOf } from './demoContents.ts';
import type { DemoContents } from './demoContents.ts';
import { startDemoServer } from './demoServer.ts';
import type { DemoServer } from './demoServer.ts';
import { ensureBuilt } from './ensureBuilt.ts';
import { freePort } from './freePort.ts';
import { installN8n } from './installN8n.ts';
import { startN8n } from './n8nInstance.ts';
import type { N8nInstance } from './n8nInstance.ts';
import { packageName, projectRoot } from './paths.ts';
import { demoServerCommand, stdioCommands } from './stdioCommands.ts';

const folder = path.join(projectRoot, '.n8n-demo');
const pidFile = path.join(folder, 'running.pid');
const logFile = path.join(folder, 'n8n.log');
const N8N_PORT = 5678;
const DEMO_SERVER_PORT = 5690;
const FIRST_EXAMPLE = 'approve-a-payment.json';

const stop = new AbortController();
const isStopped = () => stop.signal.aborted;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
	process.on(signal, () => {
		stop.abort();
	});
}

let demoServer: DemoServer | undefined;
let n8n: N8nInstance | undefined;
try {
	await start();
} catch (error) {
	if (!isStopped()) {
		say(`\n${error instanceof Error ? error.message : String(error)}`);
		process.exitCode = 1;
	}
} finally {
	await Promise.all([n8n?.stop(), demoServer?.stop()]);
	if ((await runningPid()) === process.pid) await rm(pidFile, { force: true });
}

async function start(): Promise<void> {
	await mkdir(folder, { recursive: true });
	await claimFolder();
	await installN8n(say, stop.signal);
	await ensureBuilt();
	stop.signal.throwIfAborted();

	const log = createWriteStream(logFile);
	const record = (line: string) => log.write(`${line}\n`);
	say('Starting the demo server and n8n …');
	demoServer = await startDemoServer({
		port: await freePort(DEMO_SERVER_PORT),
		effectsFile: path.join(folder, 'effects.jsonl'),
		log: record,
	});
	n8n = await startN8n({
		userFolder: folder,
		extension: 'package',
		port: await freePort(N8N_PORT),
		env: usersSettings(),
		log: record,
		signal: stop.signal,
	});
	const contents = await prepare(n8n, demoServer);
	if (isStopped()) return;
	welcome(n8n, demoServer, contents);
	await endOf(n8n, demoServer);
}

/** What the user sets for this package, and the demo server's command beside the allowed ones. */
function usersSettings(): NodeJS.ProcessEnv {
	const settings = Object.entries(process.env).filter(([name]) => name.startsWith('SALVOR_'));
	const allowed = process.env.SALVOR_STDIO_COMMANDS?.trim();
	const demo = stdioCommands([demoServerCommand]);
	return {
		...Object.fromEntries(settings),
		SALVOR_STDIO_COMMANDS: allowed ? `${demo}; ${allowed}` : demo,
	};
}

/** Signs in and imports; without the owner's password everything stays as it is. */
async function prepare(host: N8nInstance, server: DemoServer): Promise<DemoContents | undefined> {
	if (!(await host.rest.hasOwner())) await host.rest.setupOwner(demoOwner);
	else {
		const signedIn = await host.rest.login(demoOwner).then(
			() => true,
			() => false,
		);
		if (!signedIn) return undefined;
	}
	const types = await host.rest.nodeTypes();
	if (!types.some((type) => type.startsWith(`${packageName}.`))) {
		throw new Error(`n8n did not load the package; ${logFile} says why.`);
	}
	return await importDemoContents(host.rest, server, path.join(folder, 'imported.json'));
}

function welcome(host: N8nInstance, server: DemoServer, contents: DemoContents | undefined): void {
	const first = contents?.workflows[FIRST_EXAMPLE];
	const login =
		contents === undefined
			? '  Log in    with the e-mail and password that you changed the account to'
			: `  Log in    ${demoOwner.email}  /  ${demoOwner.password}`;
	const opened = first === undefined ? host.baseUrl : `${host.baseUrl}/workflow/${first}`;
	say(
		[
			'',
			'  n8n is ready.',
			'',
			`  Open      ${host.baseUrl}`,
			login,
			'',
			'  First     1. Open the workflow “Approve a payment”:',
			`               ${opened}`,
			'            2. Press “Execute workflow”. It stops at “Request payment” and waits.',
			'            3. Double-click that node, follow “Open its page” and answer.',
			'            4. Come back: the workflow went on with your answer.',
			'',
			`  Demo MCP server  ${server.endpoint}`,
			`  Its inbox        ${inboxOf(server.endpoint)}`,
			`  What it did      ${server.effectsFile}`,
			`  Log              ${logFile}`,
			'',
			'  Everything is kept in .n8n-demo; delete that folder to begin anew.',
			'  Press Ctrl-C to end n8n and the demo server.',
			'',
		].join('\n'),
	);
}

/** Resolves when the user ends it; throws when one of the two processes ends by itself. */
async function endOf(host: N8nInstance, server: DemoServer): Promise<void> {
	const asked = new Promise<undefined>((resolve) => {
		stop.signal.addEventListener('abort', () => {
			resolve(undefined);
		});
		if (isStopped()) resolve(undefined);
	});
	const died = await Promise.race([
		asked,
		host.exited.then(() => ({ name: 'n8n', lines: host.logTail(15) })),
		server.exited.then(() => ({ name: 'The demo server', lines: server.logTail(15) })),
	]);
	if (died === undefined) {
		say('\nEnding n8n and the demo server …');
		return;
	}
	throw new Error(`${died.name} ended by itself. Its last lines:\n${died.lines}`);
}

/** Two n8n in one folder would spoil each other’s database. */
async function claimFolder(): Promise<void> {
	const pid = await runningPid();
	if (pid !== undefined && pid !== process.pid && isRunning(pid)) {
		throw new Error(`It is running already, as process ${String(pid)}; end that one first.`);
	}
	await writeFile(pidFile, `${String(process.pid)}\n`);
}

async function runningPid(): Promise<number | undefined> {
	return existsSync(pidFile) ? Number(await readFile(pidFile, 'utf8')) : undefined;
}

function isRunning(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return true;
	} catch {
		return false;
	}
}

function say(line: string): void {
	console.log(line);
}
