import { type Result, succeed } from '../outcome/failure';
import { type ConnectionPool, createConnectionPool, type PoolRules } from './connectionPool';
import { openSession } from './openSession';
import { readIdleMs } from './poolSettings';

const RULES: Omit<PoolRules, 'idleMs'> = {
	most: 100,
	atOnce: 100,
	checkAfterMs: 5_000,
	checkLimitMs: 2_000,
	listingAgeMs: { announced: 60_000, other: 1_000 },
};

/**
 * Hangs on the process: n8n may load the package's code more than once, and all copies share one pool. The number grows
 * with each change of `ConnectionPool`, so that an updated copy does not meet the pool of an older one.
 */
const SLOT = Symbol.for('n8n-nodes-salvor.connectionPool.2');

/**
 * The connections of this process, kept as `SALVOR_POOL_IDLE_SECONDS` in n8n's environment says when they are first asked
 * for. A queue's workers have one each.
 */
export function sharedPool(env: NodeJS.ProcessEnv): Result<ConnectionPool> {
	// eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- only this function writes the slot
	const place = globalThis as { [SLOT]?: ConnectionPool };
	const known = place[SLOT];
	if (known !== undefined) return succeed(known);
	const idleMs = readIdleMs(env);
	if (!idleMs.ok) return idleMs;
	const pool = createConnectionPool(openSession({ env }), { ...RULES, idleMs: idleMs.value });
	place[SLOT] = pool;
	drainAtTheEnd(pool);
	return succeed(pool);
}

/**
 * n8n lets executions end before it exits; what nobody uses closes meanwhile, and children that are left are killed when the
 * process exits. Only where somebody listens already: the first listener keeps Node from ending at the signal.
 */
function drainAtTheEnd(pool: ConnectionPool): void {
	for (const signal of ['SIGTERM', 'SIGINT'] as const) {
		if (process.listenerCount(signal) === 0) continue;
		process.once(signal, () => {
			pool.drain();
		});
	}
}
