import {
	closeSync,
	existsSync,
	fsyncSync,
	openSync,
	readFileSync,
	rmSync,
	statSync,
	writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What this server did to the world. One line of the effects file each; the file is its only memory. */
export type EffectDone =
	| {
			readonly effect: 'payment.requested';
			readonly paymentId: string;
			readonly invoiceId: string;
			readonly supplier: string;
			readonly amount: number;
			readonly currency: string;
	  }
	| { readonly effect: 'payment.settled'; readonly paymentId: string }
	| { readonly effect: 'quote.requested'; readonly item: string; readonly quantity: number }
	| { readonly effect: 'quote.answered'; readonly item: string; readonly attempts: number }
	| { readonly effect: 'reminder.scheduled'; readonly text: string; readonly until: string }
	| { readonly effect: 'park.broken' };

/** An effect with the instant (RFC 3339, UTC) at which it was written down. */
export type Effect = EffectDone & { readonly at: string };

const STALE_LOCK_MS = 5_000;
const LOCK_POLL_MS = 5;

/** The effects file: `DEMO_EFFECTS_FILE`, else `effects.jsonl` in the system's temporary folder. */
export function effectsFile(environment: NodeJS.ProcessEnv): string {
	const named = environment['DEMO_EFFECTS_FILE'];
	return named === undefined || named === '' ? join(tmpdir(), 'effects.jsonl') : named;
}

/** All effects in the order in which they happened; none when the file does not exist yet. */
export function readEffects(file: string): readonly Effect[] {
	if (!existsSync(file)) return [];
	return (
		readFileSync(file, 'utf8')
			.split('\n')
			.filter((line) => line !== '')
			// eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- decode point: only this module writes the file
			.map((line) => JSON.parse(line) as Effect)
	);
}

/** Appends one effect. It is on the disk when this returns, so a killed process loses nothing. */
export function recordEffect(file: string, done: EffectDone): Effect {
	const effect: Effect = { ...done, at: new Date().toISOString() };
	const handle = openSync(file, 'a');
	try {
		writeSync(handle, `${JSON.stringify(effect)}\n`);
		fsyncSync(handle);
	} finally {
		closeSync(handle);
	}
	return effect;
}

/**
 * Runs `action` while no other process does the same on this file: looking whether a payment was
 * made and making it must be one step, even when two stdio children run at once.
 */
export function exclusively<T>(file: string, action: () => T): T {
	const lock = `${file}.lock`;
	while (!tryLock(lock)) {
		if (lockAgeMs(lock) > STALE_LOCK_MS) rmSync(lock, { force: true });
		else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOCK_POLL_MS);
	}
	try {
		return action();
	} finally {
		rmSync(lock, { force: true });
	}
}

function tryLock(lock: string): boolean {
	try {
		closeSync(openSync(lock, 'wx'));
		return true;
	} catch (error) {
		if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
		throw error;
	}
}

/** A lock that has just been released counts as fresh: the next try will get it. */
function lockAgeMs(lock: string): number {
	const stat = statSync(lock, { throwIfNoEntry: false });
	return stat === undefined ? 0 : Date.now() - stat.mtimeMs;
}
