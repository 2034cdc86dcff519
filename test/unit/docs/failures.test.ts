import { expect, it } from 'vitest';

import type { Disposition, FailureCode } from '../../../src/outcome/failure';
import { failureTable, type FailureRow, isTransient } from '../../../src/outcome/failureTable';
import type { Effect } from '../../../src/policy/effect';
import { decideRetry, type FailedTry, type RetryDecision } from '../../../src/policy/retryDecision';
import { tableUnder, textOf } from './tablesOf';

const page = textOf('docs/failures.md');
const codes = Object.keys(failureTable) as readonly FailureCode[];

const TRANSIENT: Readonly<Record<FailureRow['transient'], string>> = {
	yes: 'yes',
	no: 'no',
	'if-unsent': 'if it did not happen',
};

it('the table of codes is the one of the code, cell by cell', () => {
	expect(tableUnder(page, 'The codes')).toEqual(
		codes.map((code) => {
			const { when, disposition, transient } = failureTable[code];
			return [
				`\`${code}\``,
				when,
				disposition === 'by-evidence' ? 'by evidence' : `\`${disposition}\``,
				TRANSIENT[transient],
			];
		}),
	);
});

type Tried = Pick<FailedTry, 'failure' | 'doubtBefore' | 'retryToolErrors'>;

const againIf = (condition: boolean): RetryDecision => (condition ? 'again' : 'stop');

/** What the words of a cell promise. */
const WORDS: Readonly<Record<string, (tried: Tried) => RetryDecision>> = {
	'again if transient': ({ failure }) => againIf(isTransient(failure)),
	'again if transient, while no attempt is in doubt': ({ failure, doubtBefore }) =>
		doubtBefore ? 'needs-reconciliation' : againIf(isTransient(failure)),
	'again if `tool-error`, and only with Retry Tool Errors': ({ failure, retryToolErrors }) =>
		againIf(failure.code === 'tool-error' && retryToolErrors),
	'a person decides': () => 'needs-reconciliation',
	stop: () => 'stop',
};

const CALLS: readonly (readonly [string, Effect, readonly boolean[]])[] = [
	['`read`', 'read', [false]],
	['`idempotent` with an Idempotency Key', 'idempotent', [true]],
	['`idempotent` without a key', 'idempotent', [false]],
	['`write`, with a key or without', 'write', [true, false]],
];

const DISPOSITIONS: readonly Disposition[] = ['did-not-happen', 'in-doubt', 'landed'];

it('the table of what is tried again has a row for each kind of call', () => {
	expect(tableUnder(page, 'Tried again').map(([call]) => call)).toEqual(
		CALLS.map(([call]) => call),
	);
});

const cells = CALLS.flatMap(([call, effect, keys]) =>
	DISPOSITIONS.map((disposition, column) => ({ call, effect, keys, disposition, column })),
);

it.each(cells)(
	'$call, $disposition: the page says what the code decides, for every code',
	({ call, effect, keys, disposition, column }) => {
		const row = tableUnder(page, 'Tried again').find(([name]) => name === call);
		const promised = WORDS[row?.[column + 1] ?? ''];
		if (promised === undefined) throw new Error(`Unknown words: ${String(row?.[column + 1])}`);
		for (const code of codes) {
			for (const keyed of keys) {
				for (const [doubtBefore, retryToolErrors] of [
					[false, false],
					[false, true],
					[true, false],
					[true, true],
				] as const) {
					const tried = { failure: { code, disposition }, doubtBefore, retryToolErrors };
					const decided = decideRetry({
						...tried,
						effect,
						keyed,
						attempts: 1,
						maxAttempts: 3,
						sessionLostBefore: false,
					});
					expect(decided, `${code} ${JSON.stringify(tried)}`).toBe(promised(tried));
				}
			}
		}
	},
);
