import { describeCase, drawCase, isLong } from './drawCase.ts';
import type { SoakCase } from './drawCase.ts';
import { playCase } from './playCase.ts';
import type { SoakBench } from './playCase.ts';
import { readQuiet } from './readings.ts';
import type { Reading, ReadPlace } from './readings.ts';
import type { Tally } from './tally.ts';

export interface SoakSpec {
	readonly seed: number;
	readonly minutes: number;
	/** After so long the load pauses, and what n8n holds is read. */
	readonly roundSeconds: number;
	readonly tell: (line: string) => void;
	readonly signal?: AbortSignal;
}

export interface Loaded {
	readonly played: readonly SoakCase[];
	readonly readings: readonly Reading[];
}

/** Executions in flight; those that wait long are not counted. */
const WIDTH = 5;
const LONG_AT_ONCE = 8;
/** A wait that is over within a minute, and the minute in which n8n looks. */
const LONG_MS = 80_000;
/** More would say nothing new. */
const MOST_PROBLEMS = 40;

/** Plays cases, some at a time, until the minutes are over; resolves when the last one has ended. */
export async function loadInRounds(
	{ seed, minutes, roundSeconds, tell, signal }: SoakSpec,
	bench: SoakBench,
	place: ReadPlace,
	{ attempt, problems }: Tally,
): Promise<Loaded> {
	const readings: Reading[] = [];
	const played: SoakCase[] = [];
	const long = new Set<Promise<void>>();
	const startedMs = performance.now();
	const endMs = startedMs + minutes * 60_000;
	let number = 0;

	const play = async (of: SoakCase): Promise<void> => {
		played.push(of);
		await attempt(`Case ${String(of.number)} (${describeCase(of)})`, () => playCase(bench, of));
	};
	const goesOn = (untilMs: number): boolean => {
		signal?.throwIfAborted();
		return performance.now() < untilMs && problems.length < MOST_PROBLEMS;
	};
	const work = async (untilMs: number): Promise<void> => {
		while (goesOn(untilMs)) {
			const of = drawCase(seed, number++);
			if (!isLong(of)) {
				await play(of);
			} else if (long.size < LONG_AT_ONCE && performance.now() + LONG_MS < endMs) {
				const playing = play(of).finally(() => long.delete(playing));
				long.add(playing);
				// Awaited at the end.
				playing.catch(() => undefined);
			}
		}
	};

	while (goesOn(endMs)) {
		const untilMs = Math.min(endMs, performance.now() + roundSeconds * 1000);
		await Promise.all(Array.from({ length: WIDTH }, () => work(untilMs)));
		await attempt('What n8n holds between two rounds', async () => {
			const reading = await readQuiet(place, Math.round((performance.now() - startedMs) / 1000));
			readings.push(reading);
			tell(`${String(played.length)} executions; ${JSON.stringify(reading)}`);
		});
	}
	await Promise.all(long);
	return { played, readings };
}
