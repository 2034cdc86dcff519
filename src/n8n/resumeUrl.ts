import type { IExecuteFunctions } from 'n8n-workflow';

/** The address that resumes this execution, as n8n gives it, token included. */
export function resumeUrlOf(context: IExecuteFunctions): string {
	const url = context.evaluateExpression('{{ $execution.resumeUrl }}', 0);
	return typeof url === 'string' ? url : '';
}

/** The address of one item of several that wait. */
export const itemUrl = (resumeUrl: string, item: number): string =>
	`${resumeUrl}${resumeUrl.includes('?') ? '&' : '?'}item=${String(item)}`;
