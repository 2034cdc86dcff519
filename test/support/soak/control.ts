import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ConnectionName, PlannedCall } from './drawCase.ts';
import { connectionLost, metBy } from './troubles.ts';
import type { Met, Trouble } from './troubles.ts';

/** What a server has to do with an attempt. */
export interface SoakOrder {
	readonly trouble: Trouble;
	/** For a tool that sleeps: an RFC 3339 date-time. */
	readonly until?: string;
}

/** What a process over stdio tells, beside whose connection it serves. */
export type ChildMessage =
	| { readonly kind: 'call' | 'cancelled'; readonly n: number }
	/** It is about to end, by the order for `n`, and leaves `open` without an answer. */
	| { readonly kind: 'ends'; readonly n: number; readonly open: readonly number[] };

/** A server's process that ended, and took along what was under way there. */
export interface ChildEnd {
	readonly connection: ConnectionName;
	/** The call whose order it was. */
	readonly n: number;
	readonly atMs: number;
}

/** The servers' books: what they are to do with each call, and what they have done. */
export interface SoakControl {
	/** Where processes over stdio ask. */
	readonly address: string;
	readonly plan: (calls: readonly PlannedCall[]) => void;
	/** Their executions have ended: no attempt may come any more. */
	readonly settle: (calls: readonly PlannedCall[]) => void;
	/** One more attempt of a call has come. */
	readonly call: (n: number) => SoakOrder;
	/** A server has met what no client may do. */
	readonly complain: (problem: string) => void;
	readonly complaints: readonly string[];
	/** The server has learnt that nobody waits for the call any more. */
	readonly cancelled: (n: number) => void;
	readonly wasCancelled: (n: number) => boolean;
	/** What the attempts of a call met so far. */
	readonly met: (n: number) => readonly Met[];
	/** The instant that a call was told to sleep until. */
	readonly sleptUntil: (n: number) => string | undefined;
	/** How often the tool has done its work for a call. */
	readonly works: (n: number) => number;
	/** Since the instant, by `performance.now()`. */
	readonly childEnds: (connection: ConnectionName, sinceMs: number) => readonly ChildEnd[];
	/** How many attempts met each trouble. */
	readonly troubles: () => Readonly<Record<string, number>>;
	readonly stop: () => Promise<void>;
}

interface Entry {
	readonly planned: PlannedCall;
	readonly met: Met[];
	works: number;
	cancelled: boolean;
	settled: boolean;
	until?: string;
}

const SHORT_MS = 1_500;
/** Longer than the node waits by itself. */
const LONG_MS = 67_000;

export async function startSoakControl(): Promise<SoakControl> {
	const entries = new Map<number, Entry>();
	const troubles = new Map<string, number>();
	const childEnds: ChildEnd[] = [];
	const complaints: string[] = [];

	const entryOf = (n: number): Entry => {
		const entry = entries.get(n);
		if (entry === undefined) throw new Error(`No call ${String(n)} is planned.`);
		return entry;
	};
	const call = (n: number): SoakOrder => {
		const entry = entryOf(n);
		const { planned, met } = entry;
		if (entry.settled) complaints.push(`Call ${String(n)} came after the end of its execution`);
		const { trouble, works } = planned.first[met.length] ?? planned.then;
		met.push(metBy(trouble));
		troubles.set(trouble, (troubles.get(trouble) ?? 0) + 1);
		if (works) entry.works += 1;
		if (trouble !== 'sleeps' && trouble !== 'sleeps long') return { trouble };
		const until = new Date(Date.now() + (trouble === 'sleeps' ? SHORT_MS : LONG_MS)).toISOString();
		entry.until = until;
		return { trouble, until };
	};
	const cancelled = (n: number): void => {
		entryOf(n).cancelled = true;
	};
	const hear = (
		message: ChildMessage & { readonly connection: ConnectionName },
	): SoakOrder | undefined => {
		switch (message.kind) {
			case 'call':
				return call(message.n);
			case 'cancelled':
				cancelled(message.n);
				return undefined;
			case 'ends': {
				const { connection, n, open } = message;
				childEnds.push({ connection, n, atMs: performance.now() });
				for (const other of open) entryOf(other).met.splice(-1, 1, connectionLost);
				return undefined;
			}
		}
	};

	const server = createServer((request, response) => {
		const chunks: Buffer[] = [];
		request.on('data', (chunk: Buffer) => chunks.push(chunk));
		request.on('end', () => {
			const message = JSON.parse(Buffer.concat(chunks).toString('utf8')) as Parameters<
				typeof hear
			>[0];
			// A process that asks may be busy for longer than a connection is kept.
			response.setHeader('connection', 'close');
			response.end(JSON.stringify(hear(message) ?? {}));
		});
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	return {
		address: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/`,
		plan: (calls) => {
			for (const planned of calls) {
				entries.set(planned.n, { planned, met: [], works: 0, cancelled: false, settled: false });
			}
		},
		settle: (calls) => {
			for (const { n } of calls) entryOf(n).settled = true;
		},
		call,
		complain: (problem) => complaints.push(problem),
		complaints,
		cancelled,
		wasCancelled: (n) => entryOf(n).cancelled,
		met: (n) => [...entryOf(n).met],
		sleptUntil: (n) => entryOf(n).until,
		works: (n) => entryOf(n).works,
		childEnds: (connection, sinceMs) =>
			childEnds.filter((end) => end.connection === connection && end.atMs >= sinceMs),
		troubles: () => Object.fromEntries([...troubles].toSorted(([a], [b]) => a.localeCompare(b))),
		stop: async () => {
			server.close();
			server.closeAllConnections();
			await once(server, 'close');
		},
	};
}
