import type { ConnectionSettings } from '../../src/call/connectionSettings';
import type { McpSession } from '../../src/call/session';
import {
	type ConnectionPool,
	createConnectionPool,
	type LeaseRequest,
	type PoolRules,
} from '../../src/mcp/connectionPool';
import { openSession } from '../../src/mcp/openSession';
import { textJson, valueOf } from './connections';

/** Rules under which nothing is limited, checked or closed by itself within a test. */
const RULES: PoolRules = {
	most: 100,
	atOnce: 100,
	idleMs: 3_600_000,
	checkAfterMs: 3_600_000,
	checkLimitMs: 2_000,
	listingAgeMs: { announced: 3_600_000, other: 3_600_000 },
};

export interface PoolUnderTest extends ConnectionPool {
	/** A lease that has to be given. */
	open(settings: ConnectionSettings, request?: Partial<LeaseRequest>): Promise<McpSession>;
}

/** A pool over real transports that may start any command. */
export function testPool(rules: Partial<PoolRules> = {}): PoolUnderTest {
	const open = openSession({ env: { ...process.env, SALVOR_STDIO_COMMANDS: '*' } });
	const pool = createConnectionPool(open, { ...RULES, ...rules });
	return {
		...pool,
		open: async (settings, request = {}) =>
			valueOf(await pool.lease({ settings, listing: 'anew', ...request })),
	};
}

/** The id of the process that answers on the session. */
export const pidOf = async (session: McpSession): Promise<number> =>
	Number(textJson(valueOf(await session.callTool({ name: 'pid', arguments: {} }))));
