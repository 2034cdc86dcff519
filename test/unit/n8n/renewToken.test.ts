import type { IExecuteFunctions } from 'n8n-workflow';
import { expect, test } from 'vitest';

import { tokenRenewal } from '../../../src/n8n/renewToken';
import { failureOf, valueOf } from '../../support/connections';

interface Tokens {
	readonly access_token: string;
	readonly refresh_token: string;
}

/**
 * An n8n that keeps one credential. Like the real one its helper reads the credential by the context it is called on, and
 * renews only if what is kept still holds the token that it read.
 */
function n8n(begin: Tokens, afterRead: (reads: number) => void = () => undefined) {
	let kept = begin;
	let reads = 0;
	let renewals = 0;
	const context = {
		getCredentials: () => {
			const read = { grantType: 'pkce', oauthTokenData: kept };
			reads += 1;
			afterRead(reads);
			return Promise.resolve(read);
		},
		helpers: {
			async refreshOAuth2Token(this: IExecuteFunctions, type: string) {
				const read = await this.getCredentials<{ oauthTokenData: Tokens }>(type);
				if (read.oauthTokenData.access_token !== kept.access_token) return kept;
				renewals += 1;
				kept = { access_token: `renewed-${String(renewals)}`, refresh_token: 'next' };
				return kept;
			},
		},
	};
	return {
		context: context as unknown as IExecuteFunctions,
		renewals: () => renewals,
		keep: (tokens: Tokens) => {
			kept = tokens;
		},
	};
}

const first: Tokens = { access_token: 'first', refresh_token: 'refresh' };
const others: Tokens = { access_token: 'of-another-execution', refresh_token: 'next' };

function renewalOf(context: IExecuteFunctions, signal?: AbortSignal) {
	const renew = tokenRenewal(context, 'mcpConnectionOAuth2Api', signal);
	if (renew === undefined) throw new Error('There is no renewal.');
	return renew;
}

test('a refused token is renewed by n8n', async () => {
	const { context, renewals } = n8n(first);
	expect(valueOf(await renewalOf(context)('first'))).toEqual({
		token: 'renewed-1',
		renewed: 'now',
	});
	expect(renewals()).toBe(1);
});

test('a token that another execution has renewed before is taken, not renewed', async () => {
	const { context, renewals } = n8n(others);
	expect(valueOf(await renewalOf(context)('first'))).toEqual({
		token: 'of-another-execution',
		renewed: 'before',
	});
	expect(renewals()).toBe(0);
});

test('a token that another execution renews between our look at it and that of n8n is not renewed again', async () => {
	const host = n8n(first, (reads) => {
		if (reads === 1) host.keep(others);
	});
	expect(valueOf(await renewalOf(host.context)('first')).token).toBe('of-another-execution');
	expect(host.renewals()).toBe(0);
});

test('a renewal that never ends is given up with the execution, and did not happen', async () => {
	const { context } = n8n(first);
	const cancel = new AbortController();
	const hanging = {
		...context,
		helpers: { refreshOAuth2Token: () => new Promise(() => undefined) },
	} as unknown as IExecuteFunctions;
	const renewing = renewalOf(hanging, cancel.signal)('first');
	cancel.abort();
	expect(failureOf(await renewing)).toMatchObject({
		code: 'cancelled',
		disposition: 'did-not-happen',
	});
});

test('once only a person can help, n8n is not asked again in the run, and a token that somebody stores is taken', async () => {
	let asked = 0;
	const { context, keep } = n8n(first);
	const refusing = {
		...context,
		helpers: {
			refreshOAuth2Token: () => {
				asked += 1;
				throw Object.assign(new Error(), { body: { error: 'invalid_grant' } });
			},
		},
	} as unknown as IExecuteFunctions;
	const renew = renewalOf(refusing);
	for (let n = 0; n < 3; n++) expect(failureOf(await renew('first')).code).toBe('unauthorized');
	keep(others);
	expect(valueOf(await renew('first'))).toEqual({
		token: 'of-another-execution',
		renewed: 'before',
	});
	expect(asked).toBe(1);
});

test('a credential whose token is the operator’s own has no renewal', () => {
	expect(tokenRenewal(n8n(first).context, 'mcpConnectionApi')).toBeUndefined();
});
