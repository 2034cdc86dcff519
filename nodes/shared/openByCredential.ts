import type { IExecuteFunctions } from 'n8n-workflow';

import type { RenewToken } from '../../src/call/renewingSession';
import { runItems } from '../../src/call/runItems';
import { canonicalJson } from '../../src/json/canonicalJson';
import { credentialTypeOf } from '../../src/n8n/credentialType';
import { type ReadCredential, readCredentials } from '../../src/n8n/readCredentials';
import { tokenRenewal } from '../../src/n8n/renewToken';
import { fail, type Result } from '../../src/outcome/failure';
import { type NodeCredential, nodeCredential } from './nodeCredential';

const AT_ONCE = 8;

/**
 * Opens once for each distinct credential of the items, as its expressions give it, and gives what was opened for each item
 * (C9). The credential's own error (U4) ends the run, or is a failure with Continue On Fail; nothing was sent then.
 */
export async function openByCredential<T>(
	context: IExecuteFunctions,
	count: number,
	open: (credential: Result<NodeCredential>) => Promise<T>,
): Promise<readonly T[]> {
	if (count === 0) return [];
	const type = credentialTypeOf(context.getNodeParameter('authentication', 0, 'connection'));
	const renew = tokenRenewal(context, type, context.getExecutionCancelSignal());
	const credentials = await readCredentials(context, count, type);
	const unreadable = credentials.find((read) => !read.ok);
	if (unreadable !== undefined && !context.continueOnFail()) throw unreadable.error;
	const keys = new Map([...new Set(credentials)].map((read) => [read, keyOf(read)]));
	const distinct = [...new Map([...keys].map(([read, key]) => [key, read]))];
	const outcomes = new Map<string | undefined, T>();
	await runItems({
		count: distinct.length,
		concurrency: AT_ONCE,
		mayOverlap: () => true,
		run: async (index) => {
			const [key, read] = distinct[index] ?? [];
			if (read !== undefined) outcomes.set(key, await open(await resultOf(read, renew)));
		},
		stopsRun: () => false,
	});
	return credentials.flatMap((read) => outcomes.get(keys.get(read)) ?? []);
}

function keyOf(read: ReadCredential): string {
	return read.ok ? canonicalJson(read.data) : `unreadable: ${messageOf(read.error)}`;
}

async function resultOf(
	read: ReadCredential,
	renew: RenewToken | undefined,
): Promise<Result<NodeCredential>> {
	if (read.ok) return await nodeCredential(read.data, renew);
	return fail({
		code: 'connection-invalid',
		disposition: 'did-not-happen',
		message: `The MCP connection cannot be used: ${messageOf(read.error)}`,
		remedy: 'Open the credential and save it again.',
	});
}

const messageOf = (error: unknown): string =>
	error instanceof Error ? error.message : String(error);
