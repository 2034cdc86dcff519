import { expect, test } from 'vitest';
import { numberFrom } from '../support/fuzz/random';
import { runSoak } from '../support/soak/runSoak';

/** The soak in small; `npm run soak` goes on for as long as is wanted, and looks for what grows. */
const MINUTES = 1;
const ROUND_SECONDS = 15;
const SEED = numberFrom('SALVOR_SOAK_SEED', 1);

// What n8n holds is read from /proc.
test.runIf(process.platform === 'linux')(
	'under mixed load on servers that misbehave at random every execution ends as it has to, no answer is crossed, no keyed write happens twice, and no child or session is left (C3, C6, C7, C9, K4, P20, P24)',
	async () => {
		const { problems, figures } = await runSoak({
			seed: SEED,
			minutes: MINUTES,
			roundSeconds: ROUND_SECONDS,
			tell: () => undefined,
		});
		expect(problems).toEqual([]);
		expect(figures.executions).toBeGreaterThan(20);
	},
	600_000,
);
