import type { IExecuteFunctions } from 'n8n-workflow';

import { isPlainObject } from '../json/plainObject';
import { REFUSED } from './modelText';

const CONTEXT_KEY = 'salvorToldModel';
const LONGEST_REPEAT = 160;

/**
 * A failure's sentence for a model that may have been told it before: the same one in a later run of the tool, in the same
 * execution, says so and gives its beginning. A further try of the same run is no repeat: n8n keeps the first one's sentence
 * to itself. A refusal stays word for word (G5). The beginning is given because another agent of the same execution may not
 * have heard the rest.
 */
export function sayAgain(context: IExecuteFunctions, said: string): string {
	if (said === REFUSED.message) return said;
	const run = JSON.stringify(context.evaluateExpression('{{ $runIndex }}', 0));
	const store = context.getContext('node');
	const stored: unknown = store[CONTEXT_KEY];
	const runs =
		isPlainObject(stored) && stored['said'] === said && Array.isArray(stored['runs'])
			? stored['runs'].map(String)
			: [];
	const told = runs.includes(run) ? runs : [...runs, run];
	store[CONTEXT_KEY] = { said, runs: told };
	if (told.length === 1) return said;
	const beginning =
		said.length > LONGEST_REPEAT
			? `${said.slice(0, LONGEST_REPEAT).replace(/[\uD800-\uDBFF]$/, '')}…`
			: said;
	return `The same failure again, ${String(told.length)} times now: ${beginning}`;
}
