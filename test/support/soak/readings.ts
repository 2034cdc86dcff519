import { usedHeapMiB } from '../../../bench/heap.ts';
import { until } from '../../../scripts/host/until.ts';
import { connectionNames, isOwn, tenants } from './drawCase.ts';
import type { ConnectionName } from './drawCase.ts';
import type { SoakHttpServer } from './httpServer.ts';
import { openDescriptors, serverProcesses } from './processes.ts';

/** What n8n holds while it makes no call. */
export interface Reading {
	readonly atSeconds: number;
	/** In use after garbage collection. */
	readonly heapMiB: number;
	readonly descriptors: number;
	/** Process groups of servers over stdio. */
	readonly children: number;
	/** Sessions that the server over HTTP has open. */
	readonly sessions: number;
}

export interface ReadPlace {
	readonly mark: string;
	readonly server: SoakHttpServer;
	readonly pid: number;
	readonly inspector: number;
}

/** Closing takes up to four seconds for a child that survives SIGTERM, and two for a session. */
const CLOSING_MS = 12_000;
/** Longer than that, so that what is not closed is not taken for what was idle. */
export const IDLE_SECONDS = 30;

/** What the pool may hold of a connection when nobody uses it: one for each of its settings, and none of an execution's own. */
const mayHold = (connection: ConnectionName): number => {
	if (isOwn(connection)) return 0;
	return connection === 'http by tenant' ? tenants.length : 1;
};

/** Reads while no call is under way; throws when the pool comes not down to what it may hold. */
export async function readQuiet(place: ReadPlace, atSeconds: number): Promise<Reading> {
	await settles(place, mayHold, CLOSING_MS);
	// Before the heap is read, which needs a descriptor itself.
	const descriptors = openDescriptors(place.pid);
	const heapMiB = await usedHeapMiB(place.inspector);
	const held = heldBy(place);
	return {
		atSeconds,
		heapMiB,
		descriptors,
		children: held.filter(({ kind }) => kind === 'child').length,
		sessions: held.filter(({ kind }) => kind === 'session').length,
	};
}

type Servers = Pick<ReadPlace, 'mark' | 'server'>;

/** Resolves when the pool has let go of all connections, as nobody uses them; throws when it does not. */
export async function nothingIdle(place: Servers): Promise<void> {
	await settles(place, () => 0, IDLE_SECONDS * 1000 + CLOSING_MS);
}

/** Resolves when nothing is left of any connection; throws when there is after five seconds. */
export async function nothingLeft(place: Servers): Promise<void> {
	await settles(place, () => 0, 5_000);
}

async function settles(
	place: Servers,
	limit: (connection: ConnectionName) => number,
	timeoutMs: number,
): Promise<void> {
	const over = () => {
		const held = heldBy(place);
		return connectionNames.filter(
			(name) => held.filter(({ connection }) => connection === name).length > limit(name),
		);
	};
	await until(
		() => (over().length === 0 ? true : undefined),
		timeoutMs,
		() => `More is left than may be: ${describe(heldBy(place))}`,
	);
}

interface Held {
	readonly kind: 'child' | 'session';
	readonly connection: ConnectionName | undefined;
}

function heldBy({ mark, server }: Servers): readonly Held[] {
	const groups = new Map(
		serverProcesses(mark).map(({ group, connection }) => [group, connection] as const),
	);
	return [
		...[...groups.values()].map((connection) => ({ kind: 'child' as const, connection })),
		...server.sessions().map((connection) => ({ kind: 'session' as const, connection })),
	];
}

const describe = (held: readonly Held[]): string =>
	connectionNames
		.map((name) => [name, held.filter(({ connection }) => connection === name).length] as const)
		.filter(([, count]) => count > 0)
		.map(([name, count]) => `${String(count)} of ${name}`)
		.join(', ');
