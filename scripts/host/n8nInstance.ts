import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { startChildGroup } from './childGroup.ts';
import type { ChildExit } from './childGroup.ts';
import { freePort } from './freePort.ts';
import { installN8n } from './installN8n.ts';
import { layOutPackage } from './layOutPackage.ts';
import type { Extension } from './layOutPackage.ts';
import { n8nEnvironment } from './n8nEnvironment.ts';
import { n8nRest } from './n8nRest.ts';
import type { N8nRest } from './n8nRest.ts';
import { distFolder, nodeProgram } from './paths.ts';
import { until } from './until.ts';

const READY_TIMEOUT_MS = 180_000;
const STOP_GRACE_MS = 20_000;
const READY_LINES = {
	start: 'Editor is now accessible',
	worker: 'n8n worker is now ready',
	webhook: 'Webhook listener waiting for requests',
};

export interface N8nSpec {
	/** The folder that holds everything this n8n keeps. */
	readonly userFolder: string;
	/**
	 * `start` when absent. A `worker` takes jobs from the queue of a main, whose `port` it is given. A `webhook` answers
	 * triggers and resume addresses, and nothing else, on a port of its own.
	 */
	readonly command?: 'start' | 'worker' | 'webhook';
	/** The port to listen on; a free one when absent. A worker only makes addresses of it. */
	readonly port?: number;
	/** Set besides, or instead of, the environment every n8n here gets. */
	readonly env?: NodeJS.ProcessEnv;
	readonly extension: Extension;
	/** Called when the package lies in its place and n8n has not begun to start. */
	readonly prepare?: () => Promise<void>;
	/** Gets each line that n8n prints. */
	readonly log?: (line: string) => void;
	/** Ends an n8n that is not ready yet. */
	readonly signal?: AbortSignal;
}

export interface N8nInstance {
	/** The address without a slash at its end; a worker's is its main's. */
	readonly baseUrl: string;
	readonly pid: number;
	/** A client that is not signed in yet. */
	readonly rest: N8nRest;
	/** Resolves when n8n has ended, for whatever reason. */
	readonly exited: Promise<ChildExit>;
	/** Asks n8n to end (SIGTERM unless told otherwise), and kills what is left of its group. */
	readonly stop: (signal?: NodeJS.Signals) => Promise<ChildExit>;
	/** Kills n8n and its children at once. */
	readonly kill: () => Promise<ChildExit>;
	/** The last lines that n8n printed. */
	readonly logTail: (lines?: number) => string;
}

/**
 * Starts n8n with our built package and resolves when it answers and its workflows are active, or,
 * as a worker or a webhook process, when it takes jobs or requests.
 * Without a `dist` folder n8n starts without our nodes. Throws, with n8n's last lines, when it
 * ends early, takes longer than three minutes, or is told to end by the signal.
 */
export async function startN8n(spec: N8nSpec): Promise<N8nInstance> {
	const installed = await installN8n(spec.log ?? (() => undefined), spec.signal);
	await mkdir(spec.userFolder, { recursive: true });
	const extensionEnv = existsSync(distFolder)
		? await layOutPackage(spec.extension, spec.userFolder, installed.modules)
		: {};
	await spec.prepare?.();
	const port = spec.port ?? (await freePort());
	const brokerPort = await freePort();
	const baseUrl = `http://127.0.0.1:${String(port)}`;

	const command = spec.command ?? 'start';
	let announced = false;
	const child = await startChildGroup({
		command: nodeProgram,
		args: [installed.bin, command],
		cwd: spec.userFolder,
		env: {
			...n8nEnvironment({ userFolder: spec.userFolder, port, brokerPort, baseUrl }),
			...extensionEnv,
			...spec.env,
		},
		log: (line) => {
			if (line.startsWith(READY_LINES[command])) announced = true;
			spec.log?.(line);
		},
	});
	let ended = false;
	void child.exited.then(() => (ended = true));

	const rest = n8nRest(baseUrl);
	try {
		await until(
			async () => {
				spec.signal?.throwIfAborted();
				if (ended) throw new Error(`n8n ended while it started:\n${child.logTail(40)}`);
				const ready = announced && (command !== 'start' || (await rest.answers()));
				return ready ? true : undefined;
			},
			READY_TIMEOUT_MS,
			() => `n8n did not become ready:\n${child.logTail(40)}`,
		);
	} catch (error) {
		await child.kill();
		throw error;
	}
	return {
		baseUrl,
		pid: child.pid,
		rest,
		exited: child.exited,
		stop: async (signal = 'SIGTERM') => await child.stop(signal, STOP_GRACE_MS),
		kill: child.kill,
		logTail: child.logTail,
	};
}
