import type { IExecuteFunctions } from 'n8n-workflow';

import { isPlainObject } from '../json/plainObject';

/** The address that resumes this execution, as n8n gives it, token included. */
export function resumeUrlOf(context: IExecuteFunctions): string {
	const url = context.evaluateExpression('{{ $execution.resumeUrl }}', 0);
	return typeof url === 'string' ? url : '';
}

/**
 * The address that resumes another execution of this n8n, token included; undefined when n8n has no such execution, or
 * it has no token. Whether it waits, n8n says when the address is used.
 */
export async function resumeUrlOfExecution(
	context: IExecuteFunctions,
	executionId: string,
): Promise<string | undefined> {
	const own = URL.parse(resumeUrlOf(context));
	if (own === null || !/^\d+$/.test(executionId)) return undefined;
	const data: unknown = await context.getExecutionDataById(executionId);
	const token = isPlainObject(data) ? data['resumeToken'] : undefined;
	if (typeof token !== 'string' || token === '') return undefined;
	own.pathname = own.pathname.replace(/[^/]*$/, executionId);
	own.searchParams.set('signature', token);
	return own.href;
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
