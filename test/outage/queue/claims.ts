import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { asJson } from '../../../scripts/host/json';
import type { Json } from '../../../scripts/host/json';
import { jsonCall } from '../../support/calls';
import { startPaymentsControl, startPaymentsFront } from '../../support/cuts/paymentsPeer';
import { httpConnection } from '../../support/host';
import type { QueueBench } from '../../support/queueBench';
import { gate } from '../../support/servers/toolServer';
import { setFields, toolCall, webhookTrigger, workflow } from '../../support/workflow';

const WANTED_PAIRS = 200;
/** Pairs that go at once; which worker takes an execution is not for us to say. */
const PAIRS_AT_ONCE = 4;
const MOST_ROUNDS = 200;
const HOOK = 'queue-claims';

/** Executions on two workers that use one key at the same instant. */
export function claimsInQueueMode(bench: QueueBench): void {
	test('of two workers that claim the same key at the same instant one calls, 200 times (K4, K5, K6, K8)', async () => {
		const { host } = bench();
		const folder = await mkdtemp(path.join(tmpdir(), 'salvor-claims-'));
		const control = await startPaymentsControl(folder);
		const front = await startPaymentsFront(control.environment('pairs'));
		try {
			// All of a round have their listing, and so claim next, when the last one asks for it.
			const together = gate(2 * PAIRS_AT_ONCE);
			control.follow('pairs', async (boundary) => {
				if (boundary === 'list') await together();
				return { kind: 'go' };
			});
			const row = { name: 'charge', effect: 'write', idempotencyKey: 'reference' };
			const credential = await httpConnection(host.rest, {
				endpoint: front.endpoint,
				serverName: 'payments',
				toolPolicies: { tool: [row] },
			});
			const args = '={{ { reference: $json.body.reference, amount: 7 } }}';
			const { id } = await host.rest.createWorkflow(
				workflow([
					webhookTrigger(HOOK, 'lastNode'),
					toolCall(credential, jsonCall('charge', args), { onError: 'continueRegularOutput' }),
					setFields({
						execution: '{{ $execution.id }}',
						code: '{{ $json.error?.code }}',
						outcome: '{{ $json.call?.outcome }}',
					}),
				]),
			);
			await host.rest.activate(id);
			let onTwoWorkers = 0;
			let keys = 0;
			for (let round = 0; round < MOST_ROUNDS && onTwoWorkers < WANTED_PAIRS; round++) {
				const pairs = Array.from({ length: PAIRS_AT_ONCE }, (_, at) => {
					const reference = `pair-${String(round)}-${String(at)}`;
					return Promise.all([post(reference), post(reference)]);
				});
				for (const pair of await Promise.all(pairs)) {
					keys++;
					const came = pair.map(({ outcome, code }) => code ?? outcome);
					const second = came.includes('call-in-flight') ? 'call-in-flight' : 'deduplicated';
					expect([...came].sort()).toEqual(['completed', second].sort());
					const workers = pair.flatMap(({ execution }) => host.ranOn(String(execution)));
					expect(workers).toHaveLength(2);
					if (new Set(workers).size === 2) onTwoWorkers++;
				}
				const booked = control.booked('pairs').map(({ reference }) => reference);
				expect(booked).toHaveLength(keys);
				expect(new Set(booked).size).toBe(keys);
			}
			expect(onTwoWorkers).toBeGreaterThanOrEqual(WANTED_PAIRS);
		} finally {
			await front.stop();
			await control.stop();
			await rm(folder, { recursive: true, force: true });
		}

		async function post(reference: string): Promise<Json> {
			const response = await fetch(`${host.rest.baseUrl}/webhook/${HOOK}`, {
				method: 'POST',
				headers: { 'content-type': 'application/json' },
				body: JSON.stringify({ reference }),
			});
			const answer = asJson(await response.json(), 'The answer');
			// Of a value that is not there n8n leaves null or an empty text.
			const given = Object.entries(answer).filter(([, value]) => value !== null && value !== '');
			return Object.fromEntries(given);
		}
	}, 600_000);
}
