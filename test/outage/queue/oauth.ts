import { describe, expect, test } from 'vitest';
import { until } from '../../../scripts/host/until';
import { jsonCall } from '../../support/calls';
import { numbersAt } from '../../support/numbersAt';
import { connect, oauthCredential } from '../../support/oauth';
import type { QueueBench } from '../../support/queueBench';
import { startAuthorizationServer } from '../../support/servers/authorizationServer';
import type { RefreshTokens } from '../../support/servers/authorizationServer';
import { gate, listed, startToolServer, text } from '../../support/servers/toolServer';
import { oauthToolCall } from '../../support/workflow';

/** Below the 10 s for which n8n waits for another worker's renewal. */
const BOTH_REFUSED_MS = 8_000;
const MOST_ROUNDS = 20;

/** Executions on two workers that find their access token expired at the same time. */
export function oauthInQueueMode(bench: QueueBench): void {
	/** A tool that writes, both workers with a session on its server, and the token of both expired. */
	async function expired(kind: RefreshTokens) {
		const { rest } = bench().host;
		const authorization = await startAuthorizationServer(kind);
		const refused = new Set<string>();
		const tools = await startToolServer(
			[{ listed: listed('pay'), answer: (call) => text(String(call.arguments['n'])) }],
			{
				issuer: authorization.issuer,
				authorization: (given, session) => {
					const isLetIn = authorization.lets(given);
					if (!isLetIn && session !== '') refused.add(session);
					return isLetIn;
				},
			},
		);
		const credential = await oauthCredential(rest, { serverUrl: tools.endpoint });
		await connect(rest, credential);
		const pay = await numbersAt(rest, (n) => [oauthToolCall(credential, jsonCall('pay', n))], {
			paid: '{{ $json.output }}',
		});
		let rounds = 0;
		while (tools.open() < 2 && rounds++ < MOST_ROUNDS) await pay.send(10);
		expect(tools.open()).toBe(2);
		authorization.expireTokens();
		return {
			authorization,
			tools,
			refused,
			before: tools.calls.length,
			pay: pay.send,
			stop: async () => {
				await pay.stop();
				await tools.stop();
				await authorization.stop();
			},
		};
	}

	describe('executions on two workers that meet HTTP 401 at the same time, with refresh tokens', () => {
		test.each<readonly [string, RefreshTokens]>([
			['that may be used again', 'reusable'],
			['that are good once', 'once'],
			['whose second use costs all tokens', 'once-or-revoked'],
		])('%s: the token is renewed once, and each writes once', async (_, kind) => {
			const { authorization, tools, refused, before, pay, stop } = await expired(kind);
			try {
				authorization.holdAnswers(() =>
					until(
						() => (refused.size === 2 ? true : undefined),
						BOTH_REFUSED_MS,
						() => 'No second worker was refused',
					),
				);
				const answers = await pay(20);
				expect(answers).toEqual(answers.map((_answer, n) => ({ paid: String(n) })));
				expect(authorization.grants).toEqual(['authorization_code 200', 'refresh_token 200']);
				const paid = tools.calls.slice(before).map((call) => call.arguments['n']);
				expect(paid.sort((one, other) => Number(one) - Number(other))).toEqual([...answers.keys()]);
			} finally {
				await stop();
			}
		});

		test('that are good once: a worker that n8n lets ask too, after 10 s, is refused and takes the token of the other', async () => {
			const { authorization, tools, before, pay, stop } = await expired('once');
			try {
				// The refusal leaves before the answer.
				authorization.holdAnswers(gate(2));
				const answers = await pay(10);
				expect(answers).toEqual(answers.map((_answer, n) => ({ paid: String(n) })));
				expect([...authorization.grants].sort()).toEqual([
					'authorization_code 200',
					'refresh_token 200',
					'refresh_token 400',
				]);
				expect(tools.calls).toHaveLength(before + 10);
			} finally {
				await stop();
			}
		});
	});
}
