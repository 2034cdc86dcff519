import { randomFor } from '../fuzz/random.ts';
import type { Random } from '../fuzz/random.ts';
import { toolNames, toolOf } from './tools.ts';
import type { ToolName } from './tools.ts';
import { drawTrouble, metBy } from './troubles.ts';
import type { Park, Transport, Trouble } from './troubles.ts';

/** How n8n reaches a server. `own`: a session for each execution; `sh`: wrapped in a shell that starts something else too. */
export const connectionNames = [
	'http',
	'http by tenant',
	'http own',
	'stdio',
	'stdio own',
	'sh',
	'sh own',
] as const;
export type ConnectionName = (typeof connectionNames)[number];

export const transportOf = (connection: ConnectionName): Transport =>
	connection.startsWith('http') ? 'http' : 'stdio';
export const isOwn = (connection: ConnectionName): boolean => connection.endsWith(' own');

export const tenants = ['north', 'south', 'west'] as const;

/** How the node is set: an item's failure fails the run, or the item alone; or a wait has a limit that has passed at once. */
export type NodeSetting = 'stops' | 'goes on' | 'expires';

/** What follows when the execution has begun. */
export type Course =
	| 'ends'
	/** The same is started again when it has ended. */
	| 'twice'
	/** Its parks are answered, some with nonsense first. */
	| 'answered'
	/** Nobody answers, and its limit passes. */
	| 'expires'
	/** Stopped while the server works, or while it waits. */
	| 'stopped at work'
	| 'stopped waiting';

/** What one attempt meets, and whether the tool does its work before. */
export interface PlannedAttempt {
	readonly trouble: Trouble;
	readonly works: boolean;
}

export interface PlannedCall {
	/** Unique in a soak; what the right answer carries. */
	readonly n: number;
	readonly tool: ToolName;
	/** What its first attempts meet, one after the other. */
	readonly first: readonly PlannedAttempt[];
	/** What every attempt after those meets. */
	readonly then: PlannedAttempt;
}

export interface SoakCase {
	readonly number: number;
	readonly connection: ConnectionName;
	readonly tenant: (typeof tenants)[number];
	readonly setting: NodeSetting;
	readonly course: Course;
	readonly calls: readonly PlannedCall[];
	/** What is sent to a waiting item before its answer. */
	readonly nonsense: readonly Nonsense[];
}

export const nonsenses = ['no JSON', 'misfit', 'too large', 'look', 'nothing'] as const;
export type Nonsense = (typeof nonsenses)[number];

/** More than any case has. */
const CALLS_A_CASE = 100;

type Kind =
	'one' | 'many' | 'reads' | 'twice' | 'asks' | 'sleeps' | 'long' | 'stop' | 'stop waiting';
/** In hundredths. */
const SHARES: readonly (readonly [Kind, number])[] = [
	['one', 36],
	['many', 15],
	['reads', 12],
	['twice', 9],
	['asks', 11],
	['sleeps', 3],
	['long', 3],
	['stop', 8],
	['stop waiting', 3],
];

/** The case with this number, which depends on the seed and the number alone. */
export function drawCase(seed: number, number: number): SoakCase {
	const random = randomFor(seed, number);
	const connection = random.pick(connectionNames);
	const transport = transportOf(connection);
	const kind = drawKind(random);
	const many = (count: number, chance: number, tools: Tools, park?: Park) =>
		Array.from({ length: count }, (_, at): PlannedCall => {
			const tool = random.pick(tools);
			const n = number * CALLS_A_CASE + at;
			const works = toolOf(tool).effect !== 'read';
			const then: PlannedAttempt = { trouble: park ?? 'answers', works };
			return { n, tool, first: drawFirst(random, transport, works, chance), then };
		});
	const drawn = drawCourse(random, kind, many);
	return {
		number,
		connection,
		tenant: random.pick(tenants),
		nonsense: random.shuffled(nonsenses).slice(0, random.int(0, 3)),
		...drawn,
	};
}

/** Takes longer than a round: n8n looks for due executions once a minute. */
export const isLong = ({ course, calls }: SoakCase): boolean =>
	course === 'expires' || calls.some(({ then }) => then.trouble === 'sleeps long');

/** The case in one line. */
export const describeCase = ({ connection, setting, course, calls }: SoakCase): string => {
	const told = calls.slice(0, 4).map(({ tool, first, then }) => {
		const troubles = [...first, then].map(({ trouble }) => trouble).join(', then ');
		return `${tool} (${troubles})`;
	});
	const more = calls.length > told.length ? [`${String(calls.length - told.length)} more`] : [];
	return [connection, setting, course, [...told, ...more].join('; ')].join(' | ');
};

type Tools = readonly [ToolName, ...ToolName[]];
type Many = (count: number, chance: number, tools: Tools, park?: Park) => readonly PlannedCall[];

function drawKind(random: Random): Kind {
	let left = random.next() * 100;
	for (const [kind, share] of SHARES) {
		left -= share;
		if (left < 0) return kind;
	}
	return 'one';
}

function drawCourse(
	random: Random,
	kind: Kind,
	many: Many,
): Pick<SoakCase, 'setting' | 'course' | 'calls'> {
	const either = random.pick(['stops', 'goes on'] as const);
	switch (kind) {
		case 'one':
			return { setting: either, course: 'ends', calls: many(1, 0.6, toolNames) };
		case 'many':
			return { setting: 'goes on', course: 'ends', calls: many(random.int(4, 16), 0.2, toolNames) };
		case 'reads':
			return { setting: 'goes on', course: 'ends', calls: many(random.int(8, 40), 0.25, ['look']) };
		case 'twice':
			return { setting: 'goes on', course: 'twice', calls: many(random.int(1, 3), 0.5, KEYED) };
		case 'asks': {
			const calls = [...many(random.int(1, 3), 0.3, toolNames, 'asks')];
			return { setting: 'goes on', course: 'answered', calls };
		}
		case 'sleeps':
			return { setting: either, course: 'ends', calls: many(1, 0.3, toolNames, 'sleeps') };
		case 'long':
			return random.chance(0.5)
				? { setting: 'expires', course: 'expires', calls: many(2, 0, toolNames, 'asks') }
				: { setting: either, course: 'ends', calls: many(1, 0, toolNames, 'sleeps long') };
		case 'stop': {
			const [call] = many(1, 0, toolNames);
			if (call === undefined) throw new Error('There is no call to stop.');
			const then = { trouble: 'never', works: false } as const;
			return { setting: either, course: 'stopped at work', calls: [{ ...call, then }] };
		}
		case 'stop waiting':
			return { setting: either, course: 'stopped waiting', calls: many(1, 0, toolNames, 'asks') };
	}
}

const KEYED: Tools = ['charge', 'put_once'];
/** As many as a call has at most, and one for the second run of it. */
const ATTEMPTS = 4;

function drawFirst(
	random: Random,
	transport: Transport,
	mayWork: boolean,
	chance: number,
): readonly PlannedAttempt[] {
	const drawn: PlannedAttempt[] = [];
	while (drawn.length < ATTEMPTS && random.chance(chance)) {
		const trouble = drawTrouble(random, transport);
		drawn.push({ trouble, works: mayWork && drawWork(random, trouble) });
	}
	return drawn;
}

/** Where it is in doubt whether the tool did its work, either is true. */
function drawWork(random: Random, trouble: Trouble): boolean {
	const met = metBy(trouble);
	if (met.kind !== 'failed') return true;
	switch (met.disposition) {
		case 'did-not-happen':
			return false;
		case 'in-doubt':
			return random.chance(0.5);
		case 'landed':
			return true;
	}
}
