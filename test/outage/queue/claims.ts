import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { asJson } from '../../../scripts/host/json';
import type { Json } from '../../../scripts/host/json';
import { until } from '../../../scripts/host/until';
import { jsonCall } from '../../support/calls';
import { startPaymentsControl, startPaymentsFront } from '../../support/cuts/paymentsPeer';
import { httpConnection } from '../../support/host';
import type { QueueBench } from '../../support/queueBench';
import type { QueueHost } from '../../support/queueHost';
import { gate } from '../../support/servers/toolServer';
import { setFields, toolCall, webhookTrigger, workflow } from '../../support/workflow';

const WANTED_PAIRS = 200;
/** Pairs that go at once; which worker takes an execution is not for us to say. */
const PAIRS_AT_ONCE = 4;
const MOST_ROUNDS = 200;
const HOOK = 'queue-claims';

const KILLED_HOOK = 'queue-claims-killed';
/** Ten seconds between two signs of life, and a minute of silence. */
const KNOWN_AFTER_MS = 90_000;

/** Executions on two workers that use one key at the same instant, and on workers that are killed. */
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
			// A connection of its own for each execution, so that each asks for the listing.
			await chargeAt(HOOK, host, { endpoint: front.endpoint, session: 'perExecution' });
			let onTwoWorkers = 0;
			let keys = 0;
			for (let round = 0; round < MOST_ROUNDS && onTwoWorkers < WANTED_PAIRS; round++) {
				const pairs = Array.from({ length: PAIRS_AT_ONCE }, (_, at) => {
					const reference = `pair-${String(round)}-${String(at)}`;
					const once = () => post(host.rest.baseUrl, HOOK, reference);
					return Promise.all([once(), once()]);
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
	}, 600_000);
	test('the key of a worker that was killed under its call is never sent again: in flight until that is known, then it needs reconciliation (K8, K9)', async () => {
		const { host } = bench();
		const folder = await mkdtemp(path.join(tmpdir(), 'salvor-claims-'));
		const control = await startPaymentsControl(folder);
		const front = await startPaymentsFront(control.environment('killed'));
		try {
			const held = Promise.withResolvers<undefined>();
			let read = 0;
			control.follow('killed', async (boundary) => {
				if (boundary !== 'read') return { kind: 'go' };
				read++;
				held.resolve(undefined);
				return await new Promise(() => undefined);
			});
			await chargeAt(KILLED_HOOK, host, { endpoint: front.endpoint });
			const ended = new AbortController();
			const first = post(host.rest.baseUrl, KILLED_HOOK, 'killed', ended.signal);
			first.catch(() => undefined);
			await held.promise;
			const workers = host.workers();
			await host.kill(workers);
			await Promise.all(workers.map(host.start));

			const codes: unknown[] = [];
			await until(
				async () => {
					const { code } = await post(host.rest.baseUrl, KILLED_HOOK, 'killed');
					codes.push(code);
					return code === 'call-in-flight' ? undefined : true;
				},
				KNOWN_AFTER_MS,
				() => `Of the killed worker nothing was known: ${codes.join(', ')}`,
				1000,
			);
			expect(codes.at(-1)).toBe('needs-reconciliation');
			expect(read).toBe(1);
			ended.abort();
		} finally {
			await front.stop();
			await control.stop();
			await rm(folder, { recursive: true, force: true });
		}
	}, 240_000);
}

/** An active workflow that charges what is posted to its webhook, by a key, and answers with what came of it. */
async function chargeAt(hook: string, { rest }: QueueHost, connection: Json): Promise<void> {
	const row = { name: 'charge', effect: 'write', idempotencyKey: 'reference' };
	const credential = await httpConnection(rest, {
		serverName: 'payments',
		toolPolicies: { tool: [row] },
		...connection,
	});
	const args = '={{ { reference: $json.body.reference, amount: 7 } }}';
	const { id } = await rest.createWorkflow(
		workflow([
			webhookTrigger(hook, 'lastNode'),
			toolCall(credential, jsonCall('charge', args), { onError: 'continueRegularOutput' }),
			setFields({
				execution: '{{ $execution.id }}',
				code: '{{ $json.error?.code }}',
				outcome: '{{ $json.call?.outcome }}',
			}),
		]),
	);
	await rest.activate(id);
}

async function post(
	baseUrl: string,
	hook: string,
	reference: string,
	signal?: AbortSignal,
): Promise<Json> {
	const response = await fetch(`${baseUrl}/webhook/${hook}`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ reference }),
		...(signal === undefined ? {} : { signal }),
	});
	const answer = asJson(await response.json(), 'The answer');
	// Of a value that is not there n8n leaves null or an empty text.
	const given = Object.entries(answer).filter(([, value]) => value !== null && value !== '');
	return Object.fromEntries(given);
}
