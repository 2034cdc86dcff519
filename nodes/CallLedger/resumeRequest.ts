import type { IExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';

import { isPlainObject, type PlainObject } from '../../src/json/plainObject';
import { readJson } from '../../src/n8n/readJson';

/** What a resume address replied; the status is undefined when n8n could not be reached. */
export interface Reply {
	readonly status: number | undefined;
	readonly body: PlainObject;
}

/** Asks the resume address of an execution of this n8n. Never rejects: an error may hold the address, a secret (I9). */
export async function resumeRequest(
	context: IExecuteFunctions,
	request: Pick<IHttpRequestOptions, 'method' | 'url' | 'body' | 'headers'>,
): Promise<Reply> {
	let response: unknown;
	try {
		response = await context.helpers.httpRequest({
			...request,
			headers: { accept: 'application/json', ...request.headers },
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
		});
	} catch {
		return { status: undefined, body: {} };
	}
	const { statusCode, body } = isPlainObject(response) ? response : {};
	const said = readJson(body, 'The reply', '');
	return {
		status: typeof statusCode === 'number' ? statusCode : undefined,
		body: said.ok && isPlainObject(said.value) ? said.value : {},
	};
}
