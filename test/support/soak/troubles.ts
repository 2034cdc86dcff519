import type { Random } from '../fuzz/random.ts';

export type Transport = 'http' | 'stdio';

/** What a server does with one attempt of a call. */
export type Trouble = (typeof GOOD)[number] | (typeof QUICK)[number] | (typeof SLOW)[number] | Park;

/** Makes the execution wait, in the node or in n8n. */
export type Park = 'asks' | 'sleeps' | 'sleeps long';

/** How an attempt ends that meets a trouble. */
export type Met =
	| { readonly kind: 'answered' }
	| { readonly kind: 'parked' }
	| { readonly kind: 'failed'; readonly code: string; readonly disposition: Disposition };

export type Disposition = 'did-not-happen' | 'in-doubt' | 'landed';

/** The call comes to a good end. */
const GOOD = [
	'answers',
	'answers late',
	'answers in a stream',
	'floods with progress',
	'floods stderr',
	'makes noise',
] as const;
const QUICK = [
	'tool error',
	'error frame',
	'refusing frame',
	'unreadable result',
	'broken park',
	'huge',
	'huge in a stream',
	'garbage over HTTP',
	'cut before the head',
	'cut after the head',
	'cut in the body',
	'cut in a stream',
	'session gone',
	'status 500',
	'status 503',
	'status 429',
	'exits',
	'is killed',
	'exits in a line',
] as const;
/** Each costs the whole idle limit. */
const SLOW = ['never', 'garbage on stdout', 'stalls in the body', 'stalls in a stream'] as const;

const ONLY: Readonly<Record<Transport, readonly Trouble[]>> = {
	http: [
		'answers in a stream',
		'huge in a stream',
		'garbage over HTTP',
		'cut before the head',
		'cut after the head',
		'cut in the body',
		'cut in a stream',
		'session gone',
		'status 500',
		'status 503',
		'status 429',
		'stalls in the body',
		'stalls in a stream',
	],
	stdio: [
		'floods stderr',
		'makes noise',
		'exits',
		'is killed',
		'exits in a line',
		'garbage on stdout',
	],
};

const SLOW_SHARE = 0.12;
const ODD_BUT_GOOD_SHARE = 0.3;

/** Anything but a park and a plain answer, as the transport allows. */
export function drawTrouble(random: Random, transport: Transport): Trouble {
	const kind = random.next();
	const from: readonly Trouble[] =
		kind < SLOW_SHARE ? SLOW : kind < SLOW_SHARE + ODD_BUT_GOOD_SHARE ? GOOD : QUICK;
	const other = transport === 'http' ? 'stdio' : 'http';
	const [trouble] = random.shuffled(from.filter((each) => !ONLY[other].includes(each)));
	if (trouble === undefined) throw new Error(`There is no trouble over ${transport}.`);
	return trouble;
}

/** The server's process ends with it, and takes along what else is under way there. */
export const endsChild = (trouble: Trouble): boolean =>
	trouble === 'exits' || trouble === 'is killed' || trouble === 'exits in a line';

const failed = (code: string, disposition: Disposition): Met => ({
	kind: 'failed',
	code,
	disposition,
});

export const connectionLost = failed('connection-lost', 'in-doubt');

/** After the table of the specification (failures), which knows nothing of the product's code. */
export function metBy(trouble: Trouble): Met {
	switch (trouble) {
		case 'answers':
		case 'answers late':
		case 'answers in a stream':
		case 'floods with progress':
		case 'floods stderr':
		case 'makes noise':
			return { kind: 'answered' };
		case 'asks':
		case 'sleeps':
		case 'sleeps long':
			return { kind: 'parked' };
		case 'tool error':
			return failed('tool-error', 'landed');
		case 'error frame':
			return failed('rpc-error', 'in-doubt');
		case 'refusing frame':
			return failed('rpc-refused', 'did-not-happen');
		case 'unreadable result':
			return failed('result-unreadable', 'landed');
		case 'broken park':
			return failed('park-malformed', 'landed');
		case 'garbage over HTTP':
			return failed('unclassified', 'in-doubt');
		case 'session gone':
			return failed('session-lost', 'did-not-happen');
		case 'status 429':
			return failed('rate-limited', 'did-not-happen');
		case 'never':
		case 'garbage on stdout':
		case 'stalls in the body':
		case 'stalls in a stream':
			return failed('timed-out', 'in-doubt');
		case 'huge':
		case 'huge in a stream':
		case 'cut before the head':
		case 'cut after the head':
		case 'cut in the body':
		case 'cut in a stream':
		case 'status 500':
		case 'status 503':
		case 'exits':
		case 'is killed':
		case 'exits in a line':
			return connectionLost;
	}
}
