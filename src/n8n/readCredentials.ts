import type { IExecuteFunctions } from 'n8n-workflow';

import { isPlainObject } from '../json/plainObject';
import type { CredentialType } from './credentialType';
import { takingTurns } from './takingTurns';

/** The credential as n8n resolves it for one item, or what n8n threw. */
export type ReadCredential =
	{ readonly ok: true; readonly data: unknown } | { readonly ok: false; readonly error: unknown };

/**
 * The credential of each item: an expression in it may give every item another (C9). n8n fetches, decrypts and evaluates it
 * at each asking, so it is asked once for all items where none of its fields depends on the item.
 */
export async function readCredentials(
	context: IExecuteFunctions,
	count: number,
	type: CredentialType = 'mcpConnectionApi',
): Promise<readonly ReadCredential[]> {
	const read = async (item: number): Promise<ReadCredential> => {
		try {
			return { ok: true, data: await context.getCredentials(type, item) };
		} catch (error) {
			return { ok: false, error };
		}
	};
	if (count === 0) return [];
	const first = await read(0);
	if (count === 1 || (await isSameForAll(context, type)))
		return Array.from({ length: count }, () => first);
	const credentials = [first];
	const giveTurn = takingTurns();
	for (let item = 1; item < count; item += 1) {
		credentials.push(await read(item));
		await giveTurn();
	}
	return credentials;
}

/**
 * Whether the stored credential holds no expression that depends on the item. It is read by a way that n8n does not offer to
 * nodes; where that is not as expected, the answer is no, and the credential is read for every item.
 */
async function isSameForAll(context: IExecuteFunctions, type: CredentialType): Promise<boolean> {
	const additionalData: unknown = 'additionalData' in context ? context.additionalData : undefined;
	if (!isObject(additionalData) || !isHelper(additionalData['credentialsHelper'])) return false;
	try {
		const stored = await additionalData['credentialsHelper'].getDecrypted(
			additionalData,
			context.getNode().credentials?.[type],
			type,
			context.getMode(),
			context.getExecuteData(),
			true,
		);
		return isPlainObject(stored) && !dependsOnItem(stored);
	} catch {
		return false;
	}
}

/** n8n's own reader of credentials; the last argument asks for them as they are stored, expressions included. */
interface CredentialsHelper {
	getDecrypted(...given: readonly unknown[]): Promise<unknown>;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
	typeof value === 'object' && value !== null;

const isHelper = (value: unknown): value is CredentialsHelper =>
	isObject(value) && typeof value['getDecrypted'] === 'function';

/** Names of n8n's that are the same for all items of a run; `$self` is another field, which is looked at as well. */
const CONSTANT = /\{\{\s*\$(?:secrets|vars|env|self)(?:\.\w+|\["[^"\\]*"\]|\['[^'\\]*'\])+\s*\}\}/g;

function dependsOnItem(value: unknown): boolean {
	if (typeof value === 'string')
		return value.startsWith('=') && value.replace(CONSTANT, '').includes('{{');
	return isObject(value) && Object.values(value).some(dependsOnItem);
}
