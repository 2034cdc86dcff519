import type { CredentialReference, WorkflowSpec } from '../../../scripts/host/n8nRest';
import { limitedAwait, limitOf } from '../limitedRuns';
import { callEach, manyItems } from '../manyParks';
import { answers, failsLanded, sendsPark, suspends } from '../parkRuns';
import type { RelayCall } from '../parkRuns';
import { setFields, toolCallType } from '../workflow';
import type { Random } from './random';

/**
 * What becomes of an item's call. One that expires is answered by nobody, in a batch whose wait has a limit; one that is
 * asleep is parked until the clock is set ahead. A new kind is added here, in `toItem`, and in `allowedFor` of judgeBatch.
 */
export const ITEM_KINDS = [
	'complete',
	'person',
	'signal',
	'past',
	'short',
	'asleep',
	'expire',
	'fail',
	'malformed',
] as const;
/** Those with an address for as long as the execution waits. */
const WAITING_KINDS: readonly ItemKind[] = ['person', 'signal', 'asleep', 'expire'];
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
	/** How long it waits at the most; where some item is to expire. */
	readonly limit?: { readonly seconds: number; readonly onExpiry: 'continue' | 'fail' };
}

const SCHEMA = { type: 'string', pattern: '^answer' };
/** Sleeps and long limits end when the clock is set ahead by more than this. */
export const FAR_SECONDS = 7_200;

export const awaitsAnswer = ({ kind }: BatchItem): boolean =>
	kind === 'person' || kind === 'signal';
const failsAtOnce = ({ kind }: BatchItem): boolean => kind === 'fail' || kind === 'malformed';
/** Whether the item fails, at its call or at the end of the wait. */
export const fails = ({ limit }: Batch, entry: BatchItem): boolean =>
	failsAtOnce(entry) || (entry.kind === 'expire' && limit?.onExpiry === 'fail');
/** Whether the execution never waits, as the first failure ends it. */
export const stopsAtOnce = ({ items, onError }: Batch): boolean =>
	onError === 'stopWorkflow' && items.some(failsAtOnce);

/** What ends the wait of a batch: the last answer, its limit, or the clock that is set ahead; undefined when it has none. */
export function waitEndsBy(batch: Batch): 'answer' | 'limit' | 'clock' | undefined {
	const has = (kind: ItemKind) => batch.items.some((entry) => entry.kind === kind);
	if (stopsAtOnce(batch)) return undefined;
	if (has('expire')) return batch.limit?.seconds === FAR_SECONDS ? 'clock' : 'limit';
	if (batch.items.some(awaitsAnswer)) return 'answer';
	return has('asleep') ? 'clock' : undefined;
}

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
	const waitsAt = whenParked === 'wait' ? 'Call' : 'Await';
	const batch = { number, items, whenParked, onError, waitsAt } as const;
	return items.some(({ kind }) => kind === 'expire')
		? { ...batch, limit: limitFor(batch, random) }
		: batch;
}

/** No limit ends before every answer has come; a wait without answers may end at n8n's next look, or by an armed timer. */
function limitFor({ items, waitsAt }: Batch, random: Random): NonNullable<Batch['limit']> {
	const seconds = items.some(awaitsAnswer) ? FAR_SECONDS : random.pick([2, 90, FAR_SECONDS]);
	return { seconds, onExpiry: waitsAt === 'Call' ? random.pick(['continue', 'fail']) : 'continue' };
}

function toItem(kind: ItemKind, name: string, random: Random): BatchItem {
	switch (kind) {
		case 'complete':
			return { kind, says: name, call: answers(name) };
		case 'person':
		case 'expire':
			return { kind, says: name, call: suspends(name, SCHEMA) };
		case 'signal': {
			const suspend = { reason: name, input_schema: SCHEMA, kind: 'signal' };
			return { kind, says: name, call: sendsPark({ suspend }) };
		}
		case 'past':
			return sleeps(kind, -random.int(1, 9_999));
		case 'short':
			return sleeps(kind, random.int(3, 8));
		case 'asleep':
			return sleeps(kind, random.int(FAR_SECONDS / 2, FAR_SECONDS));
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

function sleeps(kind: ItemKind, inSeconds: number): BatchItem {
	const until = new Date(Date.now() + inSeconds * 1000).toISOString();
	return { kind, says: until, call: sendsPark({ sleep_until: until }) };
}

/** The workflow of a batch: what leaves by each output looks back to the item that it came from. */
export function workflowOf(batch: Batch, credential: CredentialReference): WorkflowSpec {
	const { items, whenParked, onError, waitsAt, limit } = batch;
	const options = limit === undefined ? {} : limitOf(limit.seconds, limit.onExpiry);
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
			callEach(credential, {
				whenParked,
				settings: { onError },
				...(waitsAt === 'Call' ? { options } : {}),
			}),
			...(waitsAt === 'Await' ? [limitedAwait(toolCallType, options)] : []),
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

/** An item that waits, and its place among those that came into the node that waits. */
export interface Waiting {
	readonly item: number;
	readonly place: number;
	readonly entry: BatchItem;
}

export function waitingOf({ items, whenParked, onError }: Batch): readonly Waiting[] {
	const leftBefore = whenParked === 'continue' && onError === 'continueErrorOutput';
	const entering = [...items.entries()].filter(([, entry]) => !leftBefore || !failsAtOnce(entry));
	return entering
		.map(([item, entry], place) => ({ item, place, entry }))
		.filter(({ entry: { kind } }) => WAITING_KINDS.includes(kind));
}
