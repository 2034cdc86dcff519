import { describe, expect, it } from 'vitest';
import type { PlainObject } from '../../../src/json/plainObject';
import type { StoredPark } from '../../../src/park/parkedBatch';
import { readParkedItem } from '../../../src/park/readParkedItem';
import { waitingItem } from '../../../src/park/waitingItem';

const call = {
	tool: 'request_payment',
	serverName: 'Payments',
	effect: 'write',
	effectSource: 'operator',
	attempts: 1,
};
const parkedAt = '2026-11-29T10:00:00.000Z';
const person: StoredPark = {
	kind: 'person',
	reason: 'approve 900',
	inputSchema: { type: 'object' },
};
const sleep: StoredPark = { kind: 'sleep', until: '2026-12-01T08:00:00.000Z' };

describe('an item with an open park is read as what came out of the node (P27)', () => {
	it.each<[string, StoredPark]>([
		['a person', person],
		['a person, any answer', { kind: 'person', reason: ' x ', inputSchema: true }],
		['a signal', { kind: 'signal', reason: 'the quote', inputSchema: {} }],
		['a sleeper', sleep],
		['a sleeper of the past', { kind: 'sleep', until: '1999-12-01T08:00:00.000Z' }],
	])('%s', (_, park) => {
		const read = { park, parkedAt, call, beside: {} };
		expect(readParkedItem(waitingItem({ call, park, parkedAt }))).toStrictEqual(read);
		const resumeUrl = 'https://n8n.example/webhook-waiting/7?signature=abc';
		expect(readParkedItem(waitingItem({ call, park, parkedAt, resumeUrl }))).toStrictEqual(read);
		const parkId = '0d5c1f0e';
		const named = waitingItem({ call, park, parkedAt, parkId });
		expect(readParkedItem(named)).toStrictEqual({ ...read, parkId });
		const claimId = '7f3a.9c1e';
		const claimed = waitingItem({ call, park, parkedAt, claimId });
		expect(readParkedItem(claimed)).toStrictEqual({ ...read, claimId });
	});

	it('also beside fields that other nodes added, and after a way through JSON', () => {
		const json = { ...waitingItem({ call, park: person, parkedAt }), approver: 'Ada' };
		expect(readParkedItem(JSON.parse(JSON.stringify(json)) as PlainObject)).toStrictEqual({
			park: person,
			parkedAt,
			call,
			beside: { approver: 'Ada' },
		});
	});
});

describe('a look-alike is an ordinary item', () => {
	const like = (changed: object, parked: object = {}, of: StoredPark = person) => {
		const json = waitingItem({ call, park: of, parkedAt }) as { call: { park: object } };
		return {
			output: null,
			call: { ...json.call, ...changed, park: { ...json.call.park, ...parked } },
		};
	};
	const deep: unknown = JSON.parse('{"not":'.repeat(5_000) + '{}' + '}'.repeat(5_000));

	it.each<[string, object]>([
		['no call', { output: null }],
		['a call that is a text', { call: 'suspended' }],
		['a call that is a list', { call: [{ outcome: 'suspended' }] }],
		['completed', like({ outcome: 'completed' })],
		['resumed', like({ outcome: 'resumed' })],
		['woke', like({ outcome: 'woke' })],
		['expired', like({ outcome: 'expired' })],
		['an outcome in a list', like({ outcome: ['suspended'] })],
		['a suspend that says sleeping', like({ outcome: 'sleeping' })],
		['a sleeper that says suspended', like({ outcome: 'suspended' }, {}, sleep)],
		['no park', { output: null, call: { ...call, outcome: 'suspended' } }],
		['a park that is a list', { output: null, call: { ...call, outcome: 'suspended', park: [] } }],
		['no tool', like({ tool: undefined })],
		['a tool that is no text', like({ tool: { name: 'x' } })],
		['an unknown kind', like({}, { kind: 'robot' })],
		['a kind in a list', like({}, { kind: ['person'] })],
		['no reason', like({}, { reason: undefined })],
		['a blank reason', like({}, { reason: ' ' })],
		['a reason that is a number', like({}, { reason: 7 })],
		['no schema', like({}, { inputSchema: undefined })],
		['a schema that is a list', like({}, { inputSchema: [] })],
		['a schema that is null', like({}, { inputSchema: null })],
		['a schema too deep to store', like({}, { inputSchema: deep })],
		['no parkedAt', like({}, { parkedAt: undefined })],
		['a parkedAt that is no instant', like({}, { parkedAt: 'yesterday' })],
		['a parkedAt that is a number', like({}, { parkedAt: 0 })],
		['no until', like({}, { until: undefined }, sleep)],
		['an until that is a date alone', like({}, { until: '2026-12-01' }, sleep)],
		['an until that is a duration', like({}, { until: 'PT5M' }, sleep)],
		['an until that is no real date', like({}, { until: '2026-02-30T08:00:00.000Z' }, sleep)],
		['an until past "never"', like({}, { until: '3000-01-01T00:00:00.000Z' }, sleep)],
		[
			'an until that is not as we store it',
			like({}, { until: '2026-12-01T09:00:00+01:00' }, sleep),
		],
	])('%s', (_, json) => {
		expect(readParkedItem({ ...json })).toBeUndefined();
	});

	it('keys of the prototype do not count (P16)', () => {
		const whole = waitingItem({ call, park: person, parkedAt });
		expect(readParkedItem(Object.create(whole) as PlainObject)).toBeUndefined();
		const inner = whole['call'] as { readonly park: object };
		expect(readParkedItem({ call: Object.create(inner) as PlainObject })).toBeUndefined();
		expect(
			readParkedItem({ call: { ...inner, park: Object.create(inner.park) as PlainObject } }),
		).toBeUndefined();
		expect(
			readParkedItem(JSON.parse(JSON.stringify({ ['__proto__']: whole })) as PlainObject),
		).toBeUndefined();
	});
});
