import { appendFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import { startDemoServer } from '../../scripts/host/demoServer';
import { ensureBuilt } from '../../scripts/host/ensureBuilt';
import { startN8n } from '../../scripts/host/n8nInstance';
import type { Owner } from '../../scripts/host/n8nRest';
import { allowedCommands, hostOwner } from './hostPeers';
import { stdioCommands } from '../../scripts/host/stdioCommands';

/** The n8n and the demo server that the host and browser tests share. */
export interface SharedHost {
	readonly baseUrl: string;
	readonly owner: Owner;
	/** The session's cookie: n8n limits how often an account may log in. */
	readonly cookie: string;
	readonly userFolder: string;
	readonly demoEndpoint: string;
	readonly effectsFile: string;
	/** Holds every line that n8n has printed. */
	readonly logFile: string;
}

declare module 'vitest' {
	export interface ProvidedContext {
		sharedHost: SharedHost;
	}
}

interface Running {
	readonly shared: SharedHost;
	users: number;
	readonly stop: () => Promise<void>;
}

/** Each project loads this file anew, so what they share hangs on the process. */
declare global {
	var salvorSharedHost: Promise<Running> | undefined;
}

/** Starts the shared host for the first project that needs it; the last one to end stops it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
	globalThis.salvorSharedHost ??= start();
	const running = await globalThis.salvorSharedHost;
	running.users++;
	project.provide('sharedHost', running.shared);
	return async () => {
		running.users--;
		if (running.users > 0) return;
		globalThis.salvorSharedHost = undefined;
		await running.stop();
	};
}

async function start(): Promise<Running> {
	await ensureBuilt();
	const userFolder = await mkdtemp(path.join(tmpdir(), 'salvor-host-'));
	const effectsFile = path.join(userFolder, 'effects.jsonl');
	const logFile = path.join(userFolder, 'n8n.log');
	const demoServer = await startDemoServer({ effectsFile });
	try {
		const n8n = await startN8n({
			userFolder,
			extension: 'package',
			env: { SALVOR_STDIO_COMMANDS: stdioCommands(allowedCommands) },
			log: (line) => {
				appendFileSync(logFile, `${line}\n`);
			},
		});
		await n8n.rest.signIn(hostOwner);
		const shared: SharedHost = {
			baseUrl: n8n.baseUrl,
			owner: hostOwner,
			cookie: n8n.rest.cookie() ?? '',
			userFolder,
			demoEndpoint: demoServer.endpoint,
			effectsFile,
			logFile,
		};
		const stop = async () => {
			await Promise.all([n8n.stop(), demoServer.stop()]);
			await rm(userFolder, { recursive: true, force: true });
		};
		return { shared, users: 0, stop };
	} catch (error) {
		await demoServer.kill();
		throw error;
	}
}
