/** Cuts calls of a payments server at every boundary: `--runs 500 --seed 1`; `--only 17` replays run 17 of that seed alone, `--only 17,18` both. */
import { parseArgs } from 'node:util';
import { describeRun, drawRun } from '../../test/support/cuts/drawRun.ts';
import { playRuns } from '../../test/support/cuts/playRuns.ts';
import { ensureBuilt } from './ensureBuilt.ts';
import { installN8n } from './installN8n.ts';

const startedAt = performance.now();
const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
	process.on(signal, () => stop.abort());
}

let passed = 0;
let failed = 0;
try {
	const { values } = parseArgs({
		options: {
			runs: { type: 'string', default: '500' },
			seed: { type: 'string', default: '1' },
			only: { type: 'string' },
		},
	});
	const seed = wholeNumber('--seed', values.seed);
	const numbers =
		values.only === undefined
			? Array.from({ length: wholeNumber('--runs', values.runs) }, (_, number) => number)
			: values.only.split(',').map((number) => wholeNumber('--only', number));
	await installN8n(say, stop.signal);
	await ensureBuilt();
	await playRuns(
		numbers.map((number) => drawRun(seed, number)),
		({ run, problem, seconds }) => {
			if (problem === undefined) passed++;
			else failed++;
			const verdict = problem === undefined ? 'ok    ' : 'FAILED';
			say(
				`${verdict} ${String(run.number).padStart(4)}  ${describeRun(run)} (${seconds.toFixed(1)} s)`,
			);
			if (problem === undefined) return;
			say(problem);
			say(
				`To replay it alone: npm run cuts -- --seed ${String(seed)} --only ${String(run.number)}`,
			);
		},
		stop.signal,
	);
} catch (error) {
	failed++;
	say(
		stop.signal.aborted ? 'Interrupted.' : error instanceof Error ? error.message : String(error),
	);
}
console.log(`${String(passed)} passed, ${String(failed)} failed`);
process.exitCode = stop.signal.aborted ? 130 : failed > 0 ? 1 : 0;

function wholeNumber(option: string, text: string): number {
	if (!/^\d{1,9}$/.test(text)) throw new Error(`${option} must be a whole number, not "${text}".`);
	return Number(text);
}

function say(line: string): void {
	const seconds = ((performance.now() - startedAt) / 1000).toFixed(1).padStart(6);
	console.log(`${seconds} s  ${line}`);
}
