import type { IExecuteFunctions } from 'n8n-workflow';

/** The address that resumes this execution, as n8n gives it, token included. */
export function resumeUrlOf(context: IExecuteFunctions): string {
	const url = context.evaluateExpression('{{ $execution.resumeUrl }}', 0);
	return typeof url === 'string' ? url : '';
}

/** An address for the one park that a call may lead to: it means no other, wherever that park is awaited later. */
export const parkUrl = (resumeUrl: string, parkId: string): string =>
	`${resumeUrl}${resumeUrl.includes('?') ? '&' : '?'}park=${parkId}`;

/** The address of one item of several that wait. */
export const itemUrl = (resumeUrl: string, item: number): string =>
	`${resumeUrl}${resumeUrl.includes('?') ? '&' : '?'}item=${String(item)}`;
