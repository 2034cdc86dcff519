import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { freePort } from '../../../scripts/host/freePort.ts';
import { startN8n } from '../../../scripts/host/n8nInstance.ts';
import { n8nRest } from '../../../scripts/host/n8nRest.ts';
import { nodeProgram } from '../../../scripts/host/paths.ts';
import { stdioCommands } from '../../../scripts/host/stdioCommands.ts';
import type { CutRun } from './drawRun.ts';
import { killGroup } from './killGroup.ts';
import type { HeldRun } from './killGroup.ts';
import { chargeServerFile, startPaymentsControl } from './paymentsPeer.ts';
import { playRun } from './playRun.ts';

/** How a run went; without a problem it passed. */
export interface PlayedRun {
	readonly run: CutRun;
	readonly problem?: string;
	readonly seconds: number;
}

const OWNER = { email: 'owner@example.com', password: 'Salvor-test-1' };
/** Runs that are played at once. */
const WIDTH = 6;
/** Runs that share one death of n8n. */
const KILLED_AT_ONCE = 12;

/** Plays runs on one n8n of their own, and tells of each when it has ended. Those that kill n8n come last. */
export async function playRuns(
	runs: readonly CutRun[],
	tell: (played: PlayedRun) => void,
	signal?: AbortSignal,
): Promise<void> {
	const folder = await mkdtemp(path.join(tmpdir(), 'salvor-cuts-'));
	const port = await freePort();
	const start = async () =>
		await startN8n({
			userFolder: folder,
			port,
			extension: 'package',
			env: { SALVOR_STDIO_COMMANDS: stdioCommands([[nodeProgram, chargeServerFile, 'stdio']]) },
			...(signal === undefined ? {} : { signal }),
		});
	const control = await startPaymentsControl(folder);
	let n8n = await start();
	try {
		await n8n.rest.signIn(OWNER);
		const bench = { rest: n8nRest(n8n.baseUrl, n8n.rest.cookie()), control };
		const killAll = async (held: readonly HeldRun[]) => {
			const letAnswer = held.flatMap((run) => run.letAnswer ?? []);
			const unlock = letAnswer.length === 0 ? undefined : lockLedger(folder);
			try {
				await Promise.all(letAnswer.map((answer) => answer()));
				await n8n.kill();
			} finally {
				unlock?.();
			}
			n8n = await start();
		};
		const play = async (run: CutRun, group?: ReturnType<typeof killGroup>) => {
			const startedAt = performance.now();
			const since = () => (performance.now() - startedAt) / 1000;
			try {
				await playRun(bench, run, group);
				tell({ run, seconds: since() });
			} catch (error) {
				const problem = error instanceof Error ? error.message : String(error);
				tell({ run, problem, seconds: since() });
			}
		};

		const kills = runs.filter(({ cut }) => cut.kind === 'kills n8n');
		const others = runs.filter(({ cut }) => cut.kind !== 'kills n8n').values();
		const worker = async () => {
			for (const run of others) {
				signal?.throwIfAborted();
				await play(run);
			}
		};
		await Promise.all(Array.from({ length: WIDTH }, worker));
		for (let from = 0; from < kills.length; from += KILLED_AT_ONCE) {
			signal?.throwIfAborted();
			const together = kills.slice(from, from + KILLED_AT_ONCE);
			const group = killGroup(together.length, killAll);
			await Promise.all(together.map((run) => play(run, group)));
		}
	} finally {
		await n8n.kill();
		await control.stop();
		await rm(folder, { recursive: true, force: true });
	}
}

/** Keeps every other process from writing in n8n's ledger, until the given function is called. */
function lockLedger(folder: string): () => void {
	const db = new DatabaseSync(path.join(folder, '.n8n', 'salvor-ledger.sqlite'));
	db.exec('PRAGMA busy_timeout = 5000; BEGIN IMMEDIATE');
	return () => {
		db.exec('ROLLBACK');
		db.close();
	};
}
