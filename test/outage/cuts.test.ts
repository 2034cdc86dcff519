import { expect, test } from 'vitest';
import { numberFrom } from '../support/fuzz/random';
import { describeRun, drawRun } from '../support/cuts/drawRun';
import { playRuns } from '../support/cuts/playRuns';

/** The decisive test in small; `npm run cuts` plays as many runs as are wanted. */
const RUNS = 60;
const SEED = numberFrom('SALVOR_CUTS_SEED', 1);

test('a call that is cut at any boundary charges at most once, says exactly what is known, and after Resolve or Release does exactly what is promised (K4 to K10, J1, J2)', async () => {
	const runs = Array.from({ length: RUNS }, (_, number) => drawRun(SEED, number));
	const problems: string[] = [];
	let played = 0;
	await playRuns(runs, ({ run, problem }) => {
		played++;
		if (problem === undefined) return;
		const replay = `npm run cuts -- --seed ${String(SEED)} --only ${String(run.number)}`;
		problems.push(`${describeRun(run)}: ${problem}\nTo replay it alone: ${replay}`);
	});
	expect(problems).toEqual([]);
	expect(played).toBe(RUNS);
}, 1_200_000);
