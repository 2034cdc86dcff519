import type { CredentialReference, WorkflowSpec } from '../../../scripts/host/n8nRest';
import { awaitParks, callEach, manyItems } from '../manyParks';
import { answers, failsLanded, sendsPark, suspends } from '../parkRuns';
import type { RelayCall } from '../parkRuns';
import { setFields } from '../workflow';
import type { Random } from './random';

/** What becomes of an item's call. A new kind of park is added here, in `callOf`, and in `expectedOf` of judgeBatch. */
export const ITEM_KINDS = [
	'complete',
	'person',
	'signal',
	'past',
	'short',
	'fail',
	'malformed',
] as const;
export type ItemKind = (typeof ITEM_KINDS)[number];

export interface BatchItem {
	readonly kind: ItemKind;
	readonly call: RelayCall;
	/** What the call's result says: its text, or the instant until which it sleeps. */
	readonly says: string;
}

export const ON_ERROR = ['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const;

export interface Batch {
	readonly number: number;
	readonly items: readonly BatchItem[];
	readonly whenParked: 'wait' | 'continue';
	readonly onError: (typeof ON_ERROR)[number];
	/** The node at which the execution waits, if it does. */
	readonly waitsAt: 'Call' | 'Await';
}

const SCHEMA = { type: 'string', pattern: '^answer' };

export const awaitsAnswer = ({ kind }: BatchItem): boolean =>
	kind === 'person' || kind === 'signal';
export const fails = ({ kind }: BatchItem): boolean => kind === 'fail' || kind === 'malformed';

/** A random batch; one that stops at errors mostly has none. */
export function randomBatch(random: Random, number: number): Batch {
	const onError = random.pick(ON_ERROR);
	const mayFail = onError !== 'stopWorkflow' || random.chance(0.2);
	const kinds = random.chance(0.2) ? (['person', 'signal'] as const) : ITEM_KINDS;
	const whenParked = random.pick<Batch['whenParked']>(['wait', 'continue']);
	const items = Array.from({ length: random.int(1, 8) }, (_, item) => {
		const kind = random.pick<ItemKind>(kinds);
		const failing = kind === 'fail' || kind === 'malformed';
		return toItem(
			failing && !mayFail ? 'complete' : kind,
			`batch ${String(number)} item ${String(item)}`,
			random,
		);
	});
	return { number, items, whenParked, onError, waitsAt: whenParked === 'wait' ? 'Call' : 'Await' };
}

function toItem(kind: ItemKind, name: string, random: Random): BatchItem {
	switch (kind) {
		case 'complete':
			return { kind, says: name, call: answers(name) };
		case 'person':
			return { kind, says: name, call: suspends(name, SCHEMA) };
		case 'signal': {
			const suspend = { reason: name, input_schema: SCHEMA, kind: 'signal' };
			return { kind, says: name, call: sendsPark({ suspend }) };
		}
		case 'past':
		case 'short': {
			const inMs = kind === 'past' ? -1000 * random.int(1, 9999) : 1000 * random.int(3, 8);
			const until = new Date(Date.now() + inMs).toISOString();
			return { kind, says: until, call: sendsPark({ sleep_until: until }) };
		}
		case 'fail':
			return { kind, says: name, call: failsLanded(name) };
		case 'malformed':
			return {
				kind,
				says: name,
				call: sendsPark(random.pick<unknown>([7, {}, { sleepUntil: 1 }])),
			};
	}
}

/** The workflow of a batch: what leaves by each output looks back to the item that it came from. */
export function workflowOf(batch: Batch, credential: CredentialReference): WorkflowSpec {
	const { items, whenParked, onError, waitsAt } = batch;
	const lookBack = (name: string) =>
		setFields(
			{
				x: "{{ $('Before').item.json.x }}",
				output: '{{ JSON.stringify($json.output ?? null) }}',
				outcome: "{{ $json.call?.outcome ?? '' }}",
				code: "{{ $json.error?.code ?? '' }}",
			},
			name,
		);
	return manyItems(
		items.map(({ call }) => call),
		[
			callEach(credential, { whenParked, settings: { onError } }),
			...(whenParked === 'continue' ? [awaitParks()] : []),
			lookBack('After'),
			lookBack('Failed'),
		],
		[
			{ from: 'Start', to: 'Before' },
			{ from: 'Before', to: 'Call' },
			...(whenParked === 'continue' ? [{ from: 'Call', to: 'Await' }] : []),
			{ from: waitsAt, to: 'After' },
			...(onError === 'continueErrorOutput' ? [{ from: 'Call', output: 1, to: 'Failed' }] : []),
		],
	);
}

/** An item that awaits an answer, and its place among those that came into the node that waits. */
export interface Awaiting {
	readonly item: number;
	readonly place: number;
}

export function awaitingOf({ items, whenParked, onError }: Batch): readonly Awaiting[] {
	const leftBefore = whenParked === 'continue' && onError === 'continueErrorOutput';
	const entering = [...items.entries()].filter(([, entry]) => !leftBefore || !fails(entry));
	return entering.flatMap(([item, entry], place) => (awaitsAnswer(entry) ? [{ item, place }] : []));
}
