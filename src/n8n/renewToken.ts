import type {
	ICredentialDataDecryptedObject,
	IExecuteFunctions,
	ILoadOptionsFunctions,
} from 'n8n-workflow';

import type { RenewedToken, RenewToken } from '../call/renewingSession';
import { remedyOfCancelled } from '../outcome/cancelled';
import { fail, type Failure, type Result, succeed } from '../outcome/failure';
import type { CredentialType } from './credentialType';
import { accessTokenIn, waysToToken } from './oauthConnection';
import { renewedByAnother } from './renewedByAnother';
import { gaveNoToken, needsConnecting, renewalFailure } from './renewalFailure';

type TokenContext = IExecuteFunctions | ILoadOptionsFunctions;

const LIMIT_SECONDS = 30;

/**
 * Renews the access token of a node's credential as n8n does it itself: once for all that ask at the same time, over all its
 * processes, and kept in the credential. A token that somebody else has renewed meanwhile is taken as it is. Undefined for
 * a credential whose token is the operator's own.
 */
export function tokenRenewal(
	context: TokenContext,
	type: CredentialType,
	signal?: AbortSignal,
): RenewToken | undefined {
	if (type !== 'mcpConnectionOAuth2Api') return undefined;
	/** Set once only a person can help; the authorization server is not asked again in this run. */
	let final: Failure | undefined;
	return async (refused) => {
		const known = final;
		const renewed = await within(
			(until) => renew(context, type, { refused, known, until }),
			signal,
		);
		if (!renewed.ok && renewed.failure.code === 'unauthorized') final = renewed.failure;
		return renewed;
	};
}

interface Asking {
	readonly refused: string | undefined;
	/** What came of it before, when only a person can help. */
	readonly known: Failure | undefined;
	readonly until: AbortSignal;
}

async function renew(
	context: TokenContext,
	type: CredentialType,
	{ refused, known, until }: Asking,
): Promise<Result<RenewedToken>> {
	const beganMs = performance.now();
	let credential: ICredentialDataDecryptedObject | undefined;
	try {
		credential = await context.getCredentials(type);
		const stored = accessTokenIn(credential);
		if (stored !== undefined && stored !== refused) {
			return succeed({ token: stored, renewed: 'before' });
		}
		if (known !== undefined) return fail(known);
		if (waysToToken(credential) === 'by-a-person') {
			return fail(
				needsConnecting(
					stored === undefined
						? 'it has no access token'
						: 'its access token was refused and it has none to renew it with',
				),
			);
		}
		const given: unknown = await context.helpers.refreshOAuth2Token.call(
			withCredential(context, credential),
			type,
		);
		const token = accessTokenIn({ oauthTokenData: given });
		return token === undefined
			? fail(gaveNoToken('there is none in its answer'))
			: succeed({ token, renewed: 'now' });
	} catch (error) {
		const failure = renewalFailure(error);
		if (failure.code !== 'unauthorized' || waysToToken(credential) !== 'by-refresh-token') {
			return fail(failure);
		}
		const keptWaitingMs = performance.now() - beganMs;
		const look = async () => accessTokenIn(await context.getCredentials(type));
		const token = await renewedByAnother(look, refused, keptWaitingMs, until);
		return token === undefined ? fail(failure) : succeed({ token, renewed: 'by-another' });
	}
}

/**
 * The context with the credential as it was read. n8n renews unless what is stored by then differs from what it reads from
 * the context: read anew, that would be a token that another execution has just renewed, and it would renew it again.
 */
function withCredential(
	context: TokenContext,
	credential: ICredentialDataDecryptedObject,
): TokenContext {
	// eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- the context itself, but for one method
	return Object.create(context, {
		getCredentials: { value: () => Promise.resolve(credential) },
	}) as TokenContext;
}

/** n8n itself would wait for minutes, and past the end of the execution. */
async function within<T>(
	renew: (until: AbortSignal) => Promise<Result<T>>,
	cancel: AbortSignal | undefined,
): Promise<Result<T>> {
	const over = AbortSignal.timeout(LIMIT_SECONDS * 1000);
	const signal = cancel === undefined ? over : AbortSignal.any([cancel, over]);
	const gaveUp = new Promise<Result<T>>((settle) => {
		const giveUp = (): void => {
			settle(fail(over.aborted ? tookTooLong : cancelled));
		};
		if (signal.aborted) giveUp();
		else signal.addEventListener('abort', giveUp, { once: true });
	});
	return await Promise.race([renew(signal), gaveUp]);
}

const tookTooLong = gaveNoToken(`it did not answer within ${String(LIMIT_SECONDS)} s`);

const cancelled: Failure = {
	code: 'cancelled',
	disposition: 'did-not-happen',
	stage: 'connect',
	message: 'Renewing the access token was cancelled with the execution.',
	remedy: remedyOfCancelled('did-not-happen'),
};
