import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from '../../scripts/host/freePort';
import { startN8n } from '../../scripts/host/n8nInstance';
import type { N8nInstance } from '../../scripts/host/n8nInstance';
import { n8nRest } from '../../scripts/host/n8nRest';
import type { N8nRest } from '../../scripts/host/n8nRest';
import { stdioCommands } from '../../scripts/host/stdioCommands';
import { hostOwner, stdioPeerCommand, wrappedPeerCommand } from './hostPeers';
import { createQueuePlace } from './queueBackends';
import type { QueueBackends, QueuePlace } from './queueBackends';

/** `main`, `webhook`, or a worker under any other name; each has a folder of its own, which outlives it. */
export type ProcessName = string;

/** One n8n in queue mode: a main, workers and a webhook process, which live and die as a test wants. */
export interface QueueHost {
	/** The folder that holds the folders of all processes. */
	readonly root: string;
	readonly place: QueuePlace;
	/** Signed in at main as the owner. */
	readonly rest: N8nRest;
	/** Where the webhook process answers; resume addresses that workers make lead there. */
	readonly webhookBaseUrl: string;
	/** Starts a process, or one that has ended again. */
	readonly start: (name: ProcessName) => Promise<void>;
	readonly kill: (names: readonly ProcessName[]) => Promise<void>;
	readonly terminate: (names: readonly ProcessName[]) => Promise<void>;
	/** The living workers. */
	readonly workers: () => readonly ProcessName[];
	/** The last lines that a living process printed. */
	readonly log: (name: ProcessName) => string;
	/** Where an execution was taken up, by the living workers' own word: a name for each time. */
	readonly ranOn: (executionId: string) => readonly ProcessName[];
	readonly stop: () => Promise<void>;
}

/** Starts a main, two workers and a webhook process on a database of their own. */
export async function startQueueHost(backends: QueueBackends): Promise<QueueHost> {
	const root = await mkdtemp(path.join(tmpdir(), 'salvor-queue-'));
	const place = await createQueuePlace(backends);
	const [port, webhookPort] = [await freePort(), await freePort()];
	const webhookBaseUrl = `http://127.0.0.1:${String(webhookPort)}`;
	const running = new Map<ProcessName, N8nInstance>();

	const start = async (name: ProcessName): Promise<N8nInstance> => {
		const command = name === 'main' ? 'start' : name === 'webhook' ? 'webhook' : 'worker';
		const n8n = await startN8n({
			command,
			userFolder: path.join(root, name),
			port: command === 'webhook' ? webhookPort : port,
			extension: 'package',
			env: {
				...place.env,
				SALVOR_STDIO_COMMANDS: stdioCommands([stdioPeerCommand, wrappedPeerCommand]),
				// Of a job that ended before main listened for its end, main learns only while it is kept; then within 5 s.
				N8N_EXECUTIONS_QUEUE_KEEP_LAST_COMPLETED: '1000',
				N8N_ENCRYPTION_KEY: 'one key for all of them',
				// A worker makes resume addresses of its own environment (T11).
				...(command === 'worker' ? { N8N_WEBHOOK_URL: `${webhookBaseUrl}/` } : {}),
			},
		});
		running.set(name, n8n);
		return n8n;
	};
	const end = async (names: readonly ProcessName[], how: 'kill' | 'stop') => {
		await Promise.all(names.map(async (name) => await running.get(name)?.[how]()));
		for (const name of names) running.delete(name);
	};
	const workers = () => [...running.keys()].filter((name) => !['main', 'webhook'].includes(name));
	const log = (name: ProcessName) => running.get(name)?.logTail() ?? '';
	const stop = async () => {
		await end([...running.keys()], 'kill');
		await place.dispose();
		await rm(root, { recursive: true, force: true });
	};
	try {
		const main = await start('main');
		await main.rest.signIn(hostOwner);
		// All of them, so that none comes up when the others have been stopped.
		const starts = await Promise.allSettled(['worker-1', 'worker-2', 'webhook'].map(start));
		for (const started of starts) if (started.status === 'rejected') throw started.reason;
		return {
			root,
			place,
			rest: n8nRest(main.baseUrl, main.rest.cookie()),
			webhookBaseUrl,
			start: async (name) => {
				await start(name);
			},
			kill: async (names) => {
				await end(names, 'kill');
			},
			terminate: async (names) => {
				await end(names, 'stop');
			},
			workers,
			log,
			ranOn: (id) =>
				workers().flatMap((name) => {
					const lines = log(name).split('\n');
					const started = lines.filter((line) => line.includes(`Worker started execution ${id} `));
					return started.map(() => name);
				}),
			stop,
		};
	} catch (error) {
		await stop();
		throw error;
	}
}
