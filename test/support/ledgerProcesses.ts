import { fork, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import type { LedgerJob, LedgerReport } from './ledgerWorker';

/** A real process that works on a ledger. */
export interface LedgerProcess {
	readonly child: ChildProcess;
	/** Resolves when the process waits for `go`. */
	readonly ready: Promise<void>;
	readonly go: () => void;
	/** What the job gave; rejects when the process ends without it. */
	readonly result: Promise<unknown>;
	/** Items told of so far as recorded. */
	readonly recorded: readonly number[];
	/** Resolves when `count` items were told of. */
	readonly whenRecorded: (count: number) => Promise<void>;
	/** The exit code or the signal that ended it. */
	readonly ended: Promise<number | string | null>;
}

/** Bundles the worker once and starts processes of it. */
export async function ledgerProcesses() {
	const folder = mkdtempSync(join(tmpdir(), 'salvor-ledger-worker-'));
	const outfile = join(folder, 'worker.mjs');
	await build({
		entryPoints: [join(import.meta.dirname, 'ledgerWorker.ts')],
		outfile,
		bundle: true,
		platform: 'node',
		format: 'esm',
		external: ['pg-native'],
		// pg is CommonJS and asks for Node's modules by `require`.
		banner: {
			js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
		},
		logLevel: 'error',
	});
	const running = new Set<ChildProcess>();
	const start = (job: LedgerJob): LedgerProcess => {
		const started = startProcess(outfile, job);
		running.add(started.child);
		started.child.once('exit', () => running.delete(started.child));
		return started;
	};
	return {
		start,
		/** Lets the jobs go at one moment; gives their results in order. */
		together: async (jobs: readonly LedgerJob[]): Promise<readonly unknown[]> => {
			const started = jobs.map(start);
			await Promise.all(started.map(({ ready }) => ready));
			for (const { go } of started) go();
			return Promise.all(started.map(({ result }) => result));
		},
		dispose: () => {
			for (const child of running) child.kill('SIGKILL');
			rmSync(folder, { recursive: true, force: true });
		},
	};
}

function startProcess(file: string, job: LedgerJob): LedgerProcess {
	const child = fork(file, [JSON.stringify(job)], { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
	const ready = Promise.withResolvers<undefined>();
	const result = Promise.withResolvers<unknown>();
	const ended = Promise.withResolvers<number | string | null>();
	const recorded: number[] = [];
	const waiters: { readonly count: number; readonly resolve: () => void }[] = [];
	let stderr = '';

	child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
	child.on('message', (report: LedgerReport) => {
		switch (report.kind) {
			case 'ready':
				ready.resolve(undefined);
				break;
			case 'recorded':
				recorded.push(report.item);
				for (const { count, resolve } of waiters) if (recorded.length >= count) resolve();
				break;
			case 'done':
				result.resolve(report.result);
				break;
		}
	});
	child.once('exit', (code, signal) => {
		const error = new Error(`The process ended with ${String(code ?? signal)}: ${stderr}`);
		ready.reject(error);
		result.reject(error);
		ended.resolve(code ?? signal);
	});
	// A process that a test kills gives no result; the test asks for one or it does not.
	ready.promise.catch(ignore);
	result.promise.catch(ignore);

	return {
		child,
		ready: ready.promise,
		go: () => child.send('go'),
		result: result.promise,
		recorded,
		whenRecorded: (count) => {
			const { promise, resolve } = Promise.withResolvers<undefined>();
			waiters.push({ count, resolve: () => resolve(undefined) });
			if (recorded.length >= count) resolve(undefined);
			return Promise.race([promise, result.promise.then(ignore)]);
		},
		ended: ended.promise,
	};
}

function ignore(): void {
	// Reported where it is awaited.
}
