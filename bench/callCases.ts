import type { Execution } from '../scripts/host/executionData.ts';
import type { N8nRest } from '../scripts/host/n8nRest.ts';
import { items } from '../test/support/workflow.ts';
import type { NodeSpec } from '../test/support/workflow.ts';
import type { CallNodes, CallSpec, Transport } from './callNodes.ts';
import type { Contender } from './inTurns.ts';
import type { Peer, RawCalls } from './rawCalls.ts';
import { storeRun } from './storedRun.ts';

export const WAYS = ['raw', 'salvor', 'n8n', 'community', 'expression'] as const;
export type Way = (typeof WAYS)[number];

const TRANSPORTS: readonly Transport[] = ['http', 'stdio'];
const LOADS = {
	writes: { tool: 'write', atOnce: 1 },
	reads8: { tool: 'read', atOnce: 8 },
	reads32: { tool: 'read', atOnce: 32 },
} as const;
export type Load = keyof typeof LOADS;
const LOAD_NAMES: readonly Load[] = ['writes', 'reads8', 'reads32'];
/** Cold and warm. */
const TEMPERS = [false, true];
/** Where it is also measured what is left without expressions. */
const CONSTANT: readonly Pick<CallCase, 'transport' | 'items' | 'load'>[] = [
	{ transport: 'stdio', items: 1, load: 'writes' },
	...LOAD_NAMES.map((load) => ({ transport: 'http' as const, items: 1000, load })),
];

/** What one run of a node, or of the SDK's client, is to do. */
export interface CallCase {
	readonly transport: Transport;
	readonly items: number;
	readonly load: Load;
	readonly isWarm: boolean;
	/** The same for each item, with no expression to evaluate. */
	readonly isConstant: boolean;
}

/** Of a single item, a read is as good as a write. */
export const casesOf = (count: number): readonly CallCase[] => [
	...TRANSPORTS.flatMap((transport) =>
		LOAD_NAMES.filter((load) => count > 1 || load === 'writes').flatMap((load) =>
			TEMPERS.map((isWarm) => ({ transport, items: count, load, isWarm, isConstant: false })),
		),
	),
	...CONSTANT.filter(({ items }) => items === count).flatMap(({ transport, load }) =>
		TEMPERS.map((isWarm) => ({
			transport,
			items: count,
			load,
			isWarm,
			isConstant: true,
		})),
	),
];

export const caseName = ({ transport, items: count, load, isWarm, isConstant }: CallCase): string =>
	[transport, count, load, isWarm ? 'warm' : 'cold', ...(isConstant ? ['constant'] : [])].join(' ');

export const contenderName = (of: CallCase, way: Way): string => `${caseName(of)}: ${way}`;

/**
 * Who can do what: n8n's own node speaks HTTP only, keeps no connection, and makes its calls one after the other; the
 * community's keeps none either and calls for its first item alone; the SDK's client knows no expressions. n8n's Edit Fields
 * calls nothing: it shows what the arguments alone cost in n8n.
 */
const canDo: Readonly<Record<Way, (of: CallCase) => boolean>> = {
	raw: ({ isConstant }) => !isConstant,
	salvor: () => true,
	n8n: ({ transport, load, isWarm }) => transport === 'http' && load === 'writes' && !isWarm,
	community: ({ items: count, isWarm }) => count === 1 && !isWarm,
	expression: ({ transport, load, isWarm, isConstant }) =>
		transport === 'http' && load === 'writes' && !isWarm && !isConstant,
};

export interface Peers {
	readonly rest: N8nRest;
	readonly nodes: CallNodes;
	readonly raw: RawCalls;
	readonly rawPeers: Readonly<Record<Transport, Peer>>;
}

/** Everybody who can do the case, each giving the milliseconds that its calls took: for a node, those of its run. */
export async function contendersFor(
	peers: Peers,
	cases: readonly CallCase[],
): Promise<readonly Contender[]> {
	const pairs = cases.flatMap((of) =>
		WAYS.filter((way) => canDo[way](of)).map((way) => ({ of, way })),
	);
	return await Promise.all(
		pairs.map(async ({ of, way }) => ({
			name: contenderName(of, way),
			run: way === 'raw' ? rawRun(peers, of) : await nodeRun(peers, of, way),
		})),
	);
}

function rawRun({ raw, rawPeers }: Peers, of: CallCase): () => Promise<number> {
	const { items: calls, isWarm } = of;
	return () => raw.run({ peer: rawPeers[of.transport], calls, isWarm, ...LOADS[of.load] });
}

async function nodeRun(
	{ rest, nodes }: Peers,
	of: CallCase,
	way: Exclude<Way, 'raw'>,
): Promise<() => Promise<number>> {
	const run = await storeRun(rest, [inputOf(of.items), nodes[way](callSpec(of))]);
	return async () => calledMs(await run(), of.items);
}

export const callSpec = ({ transport, load, isWarm, isConstant }: CallCase): CallSpec => ({
	...LOADS[load],
	transport,
	isWarm,
	arguments: isConstant ? '{ "n": 1 }' : '={{ { "n": $json.n } }}',
});

export const inputOf = (count: number): NodeSpec =>
	items(Array.from({ length: count }, (_, n) => ({ n })));

/** How long n8n says that the node ran; throws unless each item has come out of it. */
export function calledMs({ id, runData }: Execution, count: number): number {
	const [run] = runData.Call ?? [];
	if (run?.tookMs === undefined || run.outputs[0]?.length !== count) {
		throw new Error(`Execution ${id} did not call for each of its ${String(count)} items.`);
	}
	return run.tookMs;
}
