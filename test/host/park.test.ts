import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readEffects } from '../../examples/demo-server/effects.ts';
import { listenHttp } from '../../examples/demo-server/http.ts';
import { createDemoServer } from '../../examples/demo-server/tools.ts';
import type { CredentialReference } from '../../scripts/host/n8nRest';
import { demoServerCommand } from '../../scripts/host/stdioCommands';
import {
	host,
	httpConnection,
	itemsOf,
	jsonOf,
	postAnswer,
	runUntil,
	stdioConnection,
} from '../support/host';
import {
	callJson,
	callOf,
	newTag,
	parkOf,
	relay,
	runInProduction,
	sendsPark,
	shownUrl,
	suspends,
} from '../support/parkRuns';
import { startParkServer } from '../support/servers/parkServer';
import type { ParkServer } from '../support/servers/parkServer';
import { startToolServer } from '../support/servers/toolServer';
import { manualTrigger, nothing, setFields, webhookTrigger, workflow } from '../support/workflow';

const RESUME_URL_KEY = 'io.github.n8n-nodes-salvor/resume-url';
const PERSON_SCHEMA = {
	type: 'object',
	properties: { approved: { type: 'boolean' }, note: { type: 'string' } },
	required: ['approved'],
	additionalProperties: false,
};

let parkServer: ParkServer;
let relayCredential: CredentialReference;
let demoHttp: CredentialReference;
let demoStdio: CredentialReference;

beforeAll(async () => {
	const { rest, effectsFile } = host();
	parkServer = await startParkServer();
	relayCredential = await httpConnection(rest, { endpoint: parkServer.endpoint });
	demoHttp = await httpConnection(rest);
	demoStdio = await stdioConnection(rest, demoServerCommand, {
		environment: { variable: [{ name: 'DEMO_EFFECTS_FILE', value: effectsFile }] },
	});
});
afterAll(async () => {
	await parkServer.stop();
});

const effectsAbout = (what: string) =>
	readEffects(host().effectsFile).filter((effect) => Object.values(effect).includes(what));

describe.each(['streamableHttp', 'stdio'] as const)('over %s', (transport) => {
	const credential = () => (transport === 'stdio' ? demoStdio : demoHttp);

	test.each(['by hand', 'by hand, to the node', 'in production'] as const)(
		'a tool that asks for a person, run %s, parks until the right answer, and the answer is the output (P22, R1, R2, R6)',
		async (start) => {
			const { rest } = host();
			const paymentId = `pay-${randomUUID()}`;
			const hook = randomUUID();
			const spec = workflow([
				start === 'in production' ? webhookTrigger(hook) : manualTrigger(),
				callJson(
					credential(),
					'request_payment',
					JSON.stringify({ invoice_id: 'INV-1001', payment_id: paymentId }),
				),
				setFields({ approved: '{{ $json.output.approved }}', note: '{{ $json.output.note }}' }),
			]);
			let executionId: string;
			let workflowId: string | undefined;
			if (start === 'in production') {
				({ executionId, workflowId } = await runInProduction(rest, spec, hook));
			} else {
				const { id } = await rest.createWorkflow(spec);
				executionId = await rest.runManually(
					id,
					start === 'by hand' ? {} : { destination: 'Call' },
				);
			}

			const parked = await rest.waitForExecution(executionId, ['waiting']);
			expect(parked.mode).toBe(start === 'in production' ? 'webhook' : 'manual');
			expect(parked.waitTill?.getUTCFullYear()).toBe(3000);
			expect(parked.runData).not.toHaveProperty('After');
			const call = callOf(parked);
			expect(call).toMatchObject({ tool: 'request_payment', outcome: 'suspended', attempts: 1 });
			const url = await rest.resumeUrl(executionId);
			expect(call.park).toEqual({
				kind: 'person',
				reason: `Payment ${paymentId} of 4,200.00 EUR to Harbour Timber Ltd needs your approval`,
				inputSchema: expect.objectContaining({ required: ['approved'] }),
				parkedAt: expect.stringMatching(/^\d{4}-.*Z$/),
				resumeUrl: url,
			});

			for (const wrong of [{ approved: 'perhaps' }, {}, [], null, { approved: true, x: 1 }]) {
				const refused = await postAnswer(url, wrong);
				expect(refused.status).toBe(422);
				const body = (await refused.json()) as { status: string; issues: unknown[] };
				expect(body.status).toBe('rejected');
				expect(body.issues.length).toBeGreaterThan(0);
				expect(body.issues[0]).toEqual({
					path: expect.stringMatching(/^\$/),
					message: expect.stringMatching(/\w/),
				});
				expect((await rest.execution(executionId)).status).toBe('waiting');
			}
			expect(await (await postAnswer(url, { approved: 'perhaps' })).json()).toEqual({
				status: 'rejected',
				issues: [{ path: '$.approved', message: 'must be a boolean, but a string arrived' }],
			});

			const taken = await postAnswer(url, { approved: true, note: 'Go ahead' });
			expect(taken.status).toBe(200);
			expect(await taken.json()).toEqual({ status: 'resumed' });
			expect((await postAnswer(url, { approved: false })).status).toBe(409);
			const done = await rest.waitForExecution(executionId, ['success']);
			expect((await postAnswer(url, { approved: false })).status).toBe(409);

			const [left] = jsonOf(done, 'Call');
			expect(left?.output).toEqual({ approved: true, note: 'Go ahead' });
			expect(callOf(done)).toMatchObject({ outcome: 'resumed', attempts: 1 });
			const park = parkOf(done);
			expect(park).not.toHaveProperty('resumeUrl');
			expect(park.answeredAt).toMatch(/^\d{4}-.*Z$/);
			expect(new Date(String(park.answeredAt)) >= new Date(String(park.parkedAt))).toBe(true);
			if (start === 'by hand, to the node') expect(done.runData).not.toHaveProperty('After');
			else expect(jsonOf(done, 'After')).toEqual([{ approved: 'true', note: 'Go ahead' }]);
			expect(effectsAbout(paymentId)).toHaveLength(1);
			if (workflowId !== undefined) await rest.deactivate(workflowId);
		},
	);

	test('a tool that waits for a signal is called once and goes on with what an operator posts in its place (P11, P20)', async () => {
		const { rest } = host();
		const item = `shelf ${randomUUID()}`;
		const parked = await runUntil(
			rest,
			workflow([
				manualTrigger(),
				callJson(credential(), 'request_quote', JSON.stringify({ item, quantity: 2 })),
				setFields({ price: '{{ $json.output.price }}' }),
			]),
			['waiting'],
		);
		expect(parkOf(parked)).toMatchObject({ kind: 'signal' });
		const url = shownUrl(parked);
		expect((await postAnswer(url, { supplier: '', price: -1 })).status).toBe(422);
		expect((await postAnswer(url, { supplier: 'Me', price: 7 })).status).toBe(200);
		const done = await rest.waitForExecution(parked.id, ['success']);
		expect(jsonOf(done, 'Call')[0]?.output).toEqual({ supplier: 'Me', price: 7 });
		expect(jsonOf(done, 'After')).toEqual([{ price: '7' }]);
		expect(effectsAbout(item).map(({ effect }) => effect)).toEqual(['quote.requested']);
	});
});

describe('an answer is the output word for word (P22)', () => {
	const odd = JSON.parse(
		'{"":1,"a.b":{"$ref":"x"},"constructor":"c","toString":0,"error":{"message":"no error"},"json":[],"binary":{},"pairedItem":3,"= {{ $json }}":"={{ 1 + 1 }}"}',
	) as unknown;
	test.each([
		['an object with odd keys', true, odd],
		['null', {}, null],
		['zero', {}, 0],
		['a number', true, -1.5e300],
		['false', true, false],
		['an empty text', true, ''],
		[
			'a text with every sort of character',
			{},
			'Zażółć 漢字 🦉 \u0000 \u2028 "\\ {{ $json }} ={{ 1 }}',
		],
		['an empty array', true, []],
		['an array with gaps of null', {}, [1, [null, ['x']], { a: null }]],
		[
			'an answer that looks like a failed item',
			true,
			{ error: 'not one', message: 'm', details: {} },
		],
		['an answer of 900 kB', true, { text: 'ß'.repeat(450_000) }],
	])('%s', async (_, schema, answer) => {
		const { rest } = host();
		const call = suspends('Anything goes', schema);
		const parked = await runUntil(
			rest,
			workflow([manualTrigger(), relay(relayCredential, call), nothing()]),
			['waiting'],
		);
		const taken = await postAnswer(shownUrl(parked), answer);
		expect(await taken.json()).toEqual({ status: 'resumed' });
		const done = await rest.waitForExecution(parked.id, ['success']);
		expect(jsonOf(done, 'Call')[0]?.output).toEqual(answer);
		expect(jsonOf(done, 'After')[0]?.output).toEqual(answer);
		expect(Object.keys(jsonOf(done, 'After')[0] ?? {})).toEqual(['output', 'call']);
		expect(parkServer.calls(call.tag)).toHaveLength(1);
	});

	test('an own key `__proto__` arrives as a key and pollutes nothing (P16)', async () => {
		const { rest } = host();
		const parked = await runUntil(
			rest,
			workflow([
				manualTrigger(),
				relay(relayCredential, suspends()),
				setFields({ kept: '{{ $json.output.kept }}', polluted: '{{ ({}).polluted ?? "no" }}' }),
			]),
			['waiting'],
		);
		const response = await fetch(shownUrl(parked), {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: '{"kept":"yes","__proto__":{"polluted":"yes"}}',
		});
		expect(response.status).toBe(200);
		const done = await rest.waitForExecution(parked.id, ['success']);
		expect(jsonOf(done, 'After')).toEqual([{ kept: 'yes', polluted: 'no' }]);
		const output = jsonOf(done, 'Call')[0]?.output as object;
		expect(Object.keys(output)).toEqual(['kept', '__proto__']);
		expect(Object.getOwnPropertyDescriptor(output, '__proto__')?.value).toEqual({
			polluted: 'yes',
		});
	});
});

test('an input_schema of false lets nobody answer, and the run stays parked (R2)', async () => {
	const { rest } = host();
	const parked = await runUntil(
		rest,
		workflow([manualTrigger(), relay(relayCredential, suspends('Never', false))]),
		['waiting'],
	);
	expect((await postAnswer(shownUrl(parked), null)).status).toBe(422);
	expect((await postAnswer(shownUrl(parked), {})).status).toBe(422);
	expect((await rest.execution(parked.id)).status).toBe('waiting');
	await rest.stopExecution(parked.id);
	await rest.waitForExecution(parked.id, ['canceled']);
});

test('what stands beside a valid park is dropped, also after the answer (P15)', async () => {
	const { rest } = host();
	const tag = newTag();
	const { result } = suspends('Choose', PERSON_SCHEMA, tag);
	const parked = await runUntil(
		rest,
		workflow([
			manualTrigger(),
			relay(relayCredential, { tag, result: { ...result, structuredContent: { beside: 1 } } }),
		]),
		['waiting'],
	);
	expect(itemsOf(parked, 'Call')).toHaveLength(1);
	expect(JSON.stringify(jsonOf(parked, 'Call'))).not.toMatch(/beside|dropped/);
	expect((await postAnswer(shownUrl(parked), { approved: false })).status).toBe(200);
	const done = await rest.waitForExecution(parked.id, ['success']);
	expect(JSON.stringify(jsonOf(done, 'Call'))).not.toMatch(/beside|dropped/);
});

describe('Share Resume URL', () => {
	test('on: the server gets the address, posts its answer, and the run goes on by itself', async () => {
		const { rest } = host();
		const folder = await mkdtemp(path.join(tmpdir(), 'salvor-signal-'));
		const effectsFile = path.join(folder, 'effects.jsonl');
		const demo = await listenHttp(0, () =>
			createDemoServer({ effectsFile, quoteDelayMs: 0, checkDelayMs: 0 }),
		);
		try {
			const credential = await httpConnection(rest, {
				endpoint: demo.url,
				shareResumeUrl: true,
			});
			const done = await runUntil(
				rest,
				workflow([
					manualTrigger(),
					callJson(credential, 'request_quote', '{"item":"oak shelf","quantity":40}'),
				]),
				['success'],
			);
			expect(jsonOf(done, 'Call')[0]?.output).toEqual({
				supplier: 'Harbour Timber Ltd',
				price: 496,
				currency: 'EUR',
				delivery_days: 5,
			});
			expect(callOf(done)).toMatchObject({ outcome: 'resumed', park: { kind: 'signal' } });
			await expect
				.poll(() => readEffects(effectsFile).map(({ effect }) => effect))
				.toEqual(['quote.requested', 'quote.answered']);
			const answered = readEffects(effectsFile).find(({ effect }) => effect === 'quote.answered');
			// A post that comes before the execution waits meets 409 and is tried again; a busy machine may be slower than n8n.
			expect((answered as { attempts?: number } | undefined)?.attempts).toBeGreaterThan(0);
		} finally {
			await demo.close();
			await rm(folder, { recursive: true, force: true });
		}
	});

	test('on: an answer that comes before the execution waits is refused by n8n, and taken when it waits (C15)', async () => {
		const { rest } = host();
		const early: number[] = [];
		const { result } = sendsPark({
			suspend: { reason: 'A signal', input_schema: true, kind: 'signal' },
		});
		const server = await startToolServer([
			{
				listed: { name: 'ask', inputSchema: { type: 'object' } },
				answer: async ({ meta }) => {
					early.push((await postAnswer(String(meta[RESUME_URL_KEY]), 'early')).status);
					return result;
				},
			},
		]);
		try {
			const { endpoint } = server;
			const credential = await httpConnection(rest, { endpoint, shareResumeUrl: true });
			const parked = await runUntil(
				rest,
				workflow([manualTrigger(), callJson(credential, 'ask', '{}')]),
				['waiting'],
			);
			// 409 while it runs; 500 in its first moments, before n8n has noted that it does.
			expect([[409], [500]]).toContainEqual(early);
			const url = String(server.calls[0]?.meta[RESUME_URL_KEY]);
			expect((await postAnswer(url, 'in time')).status).toBe(200);
			const done = await rest.waitForExecution(parked.id, ['success']);
			expect(jsonOf(done, 'Call')[0]?.output).toBe('in time');
		} finally {
			await server.stop();
		}
	});

	test('on: the address in `_meta` is the one that the item shows', async () => {
		const { rest } = host();
		const credential = await httpConnection(rest, {
			endpoint: parkServer.endpoint,
			shareResumeUrl: true,
		});
		const call = sendsPark({
			suspend: { reason: 'A signal', input_schema: true, kind: 'signal' },
		});
		const parked = await runUntil(rest, workflow([manualTrigger(), relay(credential, call)]), [
			'waiting',
		]);
		expect(parkServer.calls(call.tag)[0]?.meta[RESUME_URL_KEY]).toBe(shownUrl(parked));
		expect((await postAnswer(shownUrl(parked), 'done')).status).toBe(200);
		await rest.waitForExecution(parked.id, ['success']);
	});

	test('off: `_meta` says nothing about this n8n, and an operator answers', async () => {
		const { rest } = host();
		const call = sendsPark({
			suspend: { reason: 'A signal', input_schema: { type: 'string' }, kind: 'signal' },
		});
		const parked = await runUntil(rest, workflow([manualTrigger(), relay(relayCredential, call)]), [
			'waiting',
		]);
		const [seen] = parkServer.calls(call.tag);
		expect(Object.keys(seen?.meta ?? {}).filter((key) => key !== 'progressToken')).toEqual([]);
		expect(JSON.stringify(seen)).not.toContain('webhook-waiting');
		expect((await postAnswer(shownUrl(parked), 'a quote')).status).toBe(200);
		const done = await rest.waitForExecution(parked.id, ['success']);
		expect(jsonOf(done, 'Call')[0]?.output).toBe('a quote');
		expect(parkServer.calls(call.tag)).toHaveLength(1);
	});
});
