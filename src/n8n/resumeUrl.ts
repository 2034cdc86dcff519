import type { IExecuteFunctions } from 'n8n-workflow';

/** The address that resumes this execution, as n8n gives it, token included. */
export function resumeUrlOf(context: IExecuteFunctions): string {
	const url = context.evaluateExpression('{{ $execution.resumeUrl }}', 0);
	return typeof url === 'string' ? url : '';
}

/** The address of one item of several that wait. */
export const itemUrl = (resumeUrl: string, item: number): string =>
	withQuery(resumeUrl, 'item', String(item));

/**
 * The address of an item: by its number when the run has several, and by the id of its park when the server got one. By that
 * it means no other park, wherever the item is awaited later.
 */
export function addressOf(
	resumeUrl: string,
	of: { readonly item: number; readonly several: boolean; readonly parkId?: string | undefined },
): string {
	const url = of.several ? itemUrl(resumeUrl, of.item) : resumeUrl;
	return of.parkId === undefined ? url : withQuery(url, 'park', of.parkId);
}

const withQuery = (url: string, name: string, value: string): string =>
	`${url}${url.includes('?') ? '&' : '?'}${name}=${value}`;
