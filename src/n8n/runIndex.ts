import type { IExecuteFunctions } from 'n8n-workflow';

/** Which run of the node this is in its execution, from 0: a loop runs it several times. */
export const runIndexOf = (context: Pick<IExecuteFunctions, 'evaluateExpression'>): number =>
	Number(context.evaluateExpression('{{ $runIndex }}', 0));
