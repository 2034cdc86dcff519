/** Loads n8n for half an hour with calls of servers that misbehave at random: `--minutes 30 --seed 1`. */
import { parseArgs } from 'node:util';
import { runSoak } from '../../test/support/soak/runSoak.ts';
import { ensureBuilt } from './ensureBuilt.ts';
import { installN8n } from './installN8n.ts';

const ROUND_SECONDS = 60;

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
			minutes: { type: 'string', default: '30' },
			seed: { type: 'string', default: '1' },
		},
	});
	const minutes = wholeNumber('--minutes', values.minutes);
	const seed = wholeNumber('--seed', values.seed);
	await installN8n(say, stop.signal);
	await ensureBuilt();
	const soaked = await runSoak({
		seed,
		minutes,
		roundSeconds: ROUND_SECONDS,
		tell: say,
		signal: stop.signal,
	});
	passed = soaked.passed;
	failed = soaked.problems.length;
	console.log(JSON.stringify(soaked.figures));
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
