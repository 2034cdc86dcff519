import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { withInspector } from '../../../bench/heap.ts';
import { sum } from '../../../bench/statistics.ts';
import { freePort } from '../../../scripts/host/freePort.ts';
import { startN8n } from '../../../scripts/host/n8nInstance.ts';
import type { N8nInstance } from '../../../scripts/host/n8nInstance.ts';
import { n8nRest } from '../../../scripts/host/n8nRest.ts';
import { allowed, settings, storeWorkflows } from './connections.ts';
import { startSoakControl } from './control.ts';
import { connectionNames, isOwn } from './drawCase.ts';
import { expectNoGrowth, growthOf } from './growth.ts';
import type { Growth } from './growth.ts';
import { startSoakHttpServer } from './httpServer.ts';
import type { SoakHttpServer } from './httpServer.ts';
import { loadInRounds } from './loadInRounds.ts';
import type { SoakSpec } from './loadInRounds.ts';
import { playCase } from './playCase.ts';
import type { SoakBench } from './playCase.ts';
import { endServers } from './processes.ts';
import { IDLE_SECONDS, nothingIdle, nothingLeft } from './readings.ts';
import type { Reading } from './readings.ts';
import { createTally } from './tally.ts';

export interface Soaked {
	/** Executions and checks that went as they have to. */
	readonly passed: number;
	readonly problems: readonly string[];
	readonly figures: SoakFigures;
}

export interface SoakFigures {
	readonly executions: number;
	readonly calls: number;
	readonly attempts: number;
	/** Calls that were not judged to the letter. */
	readonly excused: number;
	/** Over HTTP. */
	readonly sessions: number;
	/** Processes over stdio that ended by an order. */
	readonly childEnds: number;
	/** How many attempts met each trouble. */
	readonly troubles: Readonly<Record<string, number>>;
	/** Absent for a soak that is too short to tell. */
	readonly grown?: { readonly heapMiB: Growth; readonly descriptors: Growth };
	readonly readings: readonly Reading[];
}

const OWNER = { email: 'owner@example.com', password: 'Salvor-test-1' };

/**
 * What may come on top without being a leak. Both move by about so much from minute to minute, the heap with n8n's own
 * caches, the descriptors with the connections of whoever asks n8n; their medians hardly do.
 */
const TOLERATED = { heapMiB: 5, descriptors: 8 };
/** With fewer, a third is two readings at most, and n8n still warms up. */
const READINGS_FOR_GROWTH = 9;

/** Loads an n8n of its own for so many minutes with calls of servers that misbehave at random, and says what went wrong. */
export async function runSoak(spec: SoakSpec): Promise<Soaked> {
	if (process.platform !== 'linux') throw new Error('The soak reads /proc, which Linux alone has.');
	const folder = await mkdtemp(path.join(tmpdir(), 'salvor-soak-'));
	const control = await startSoakControl();
	const server = await startSoakHttpServer(control);
	const inspector = await freePort();
	const mark = randomUUID();
	let n8n: N8nInstance | undefined;
	let excused = 0;
	try {
		n8n = await startN8n({
			userFolder: folder,
			extension: 'package',
			env: {
				...withInspector(inspector),
				SALVOR_STDIO_COMMANDS: allowed,
				SALVOR_POOL_IDLE_SECONDS: String(IDLE_SECONDS),
				SALVOR_MAX_RESPONSE_MB: '1',
			},
			...(spec.signal === undefined ? {} : { signal: spec.signal }),
		});
		await n8n.rest.signIn(OWNER);
		const rest = n8nRest(n8n.baseUrl, n8n.rest.cookie());
		const peers = { endpoint: server.endpoint, control: control.address, mark };
		const workflows = await storeWorkflows(rest, peers);
		const bench: SoakBench = { rest, control, workflows, excuse: () => excused++ };
		const tally = createTally(spec.tell, spec.signal);
		const place = { mark, server, pid: n8n.pid, inspector };
		const { played, readings } = await loadInRounds(spec, bench, place, tally);
		await checkTheEnd(bench, { mark, server, n8n }, tally);
		const grown = {
			heapMiB: readings.map(({ heapMiB }) => heapMiB),
			descriptors: readings.map(({ descriptors }) => descriptors),
		};
		const isLong = readings.length >= READINGS_FOR_GROWTH;
		if (isLong) {
			for (const what of ['heapMiB', 'descriptors'] as const) {
				await tally.attempt(`Growth of ${what}`, () => {
					expectNoGrowth(grown[what], TOLERATED[what]);
				});
			}
		}
		const troubles = control.troubles();
		return {
			passed: tally.passed(),
			problems: tally.problems,
			figures: {
				executions: played.length,
				calls: sum(played.map(({ calls }) => calls.length)),
				attempts: sum(Object.values(troubles)),
				excused,
				sessions: server.initialised(),
				childEnds: sum(connectionNames.map((name) => control.childEnds(name, 0).length)),
				troubles,
				...(isLong
					? {
							grown: {
								heapMiB: growthOf(grown.heapMiB),
								descriptors: growthOf(grown.descriptors),
							},
						}
					: {}),
				readings,
			},
		};
	} finally {
		// Killed, it could not end its children.
		await n8n?.stop();
		endServers(mark);
		await server.stop();
		await control.stop();
		await rm(folder, { recursive: true, force: true });
	}
}

interface Ending {
	readonly mark: string;
	readonly server: SoakHttpServer;
	readonly n8n: N8nInstance;
}

/** What is left when the load is over, when the connections are idle, and when n8n has stopped. */
async function checkTheEnd(
	bench: SoakBench,
	{ n8n, ...place }: Ending,
	{ attempt }: ReturnType<typeof createTally>,
): Promise<void> {
	await attempt('Executions that have not ended', () => noneLeft(bench));
	await attempt('What clients may not do', () => {
		const { complaints } = bench.control;
		if (complaints.length > 0) throw new Error(complaints.join('; '));
	});
	await attempt('What is left when all connections are idle', () => nothingIdle(place));
	await attempt('One more call over each connection that is shared', () => callOverEach(bench));
	await attempt('What is left when n8n has stopped', async () => {
		await n8n.stop();
		await nothingLeft(place);
	});
}

async function noneLeft({ rest, workflows }: SoakBench): Promise<void> {
	for (const connection of connectionNames) {
		for (const setting of settings) {
			const { id } = workflows(connection, setting);
			for (const status of ['new', 'running', 'waiting'] as const) {
				const count = await rest.countExecutions(id, status);
				if (count > 0) throw new Error(`${String(count)} of ${connection} are ${status}`);
			}
		}
	}
}

async function callOverEach(bench: SoakBench): Promise<void> {
	for (const connection of connectionNames.filter((name) => !isOwn(name))) {
		await playCase(bench, {
			number: -1,
			connection,
			tenant: 'north',
			setting: 'stops',
			course: 'ends',
			calls: [
				{
					n: -1 - connectionNames.indexOf(connection),
					tool: 'look',
					first: [],
					then: { trouble: 'answers', works: false },
				},
			],
			nonsense: [],
		});
	}
}
