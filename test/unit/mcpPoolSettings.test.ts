import { expect, test } from 'vitest';

import { readIdleMs } from '../../src/mcp/poolSettings';
import { failureOf, valueOf } from '../support/connections';

test.each([
	[undefined, 60_000],
	['', 60_000],
	['0', 0],
	[' 5 ', 5_000],
	['86400', 86_400_000],
])('SALVOR_POOL_IDLE_SECONDS %j is %i ms (C9)', (stated, idleMs) => {
	const env = stated === undefined ? {} : { SALVOR_POOL_IDLE_SECONDS: stated };
	expect(valueOf(readIdleMs(env))).toBe(idleMs);
});

test.each(['-1', '1.5', 'a minute', '86401', '1e3'])(
	'SALVOR_POOL_IDLE_SECONDS %j is refused by name',
	(stated) => {
		const failure = failureOf(readIdleMs({ SALVOR_POOL_IDLE_SECONDS: stated }));
		expect(failure).toMatchObject({ code: 'connection-invalid', disposition: 'did-not-happen' });
		expect(failure.message).toContain('SALVOR_POOL_IDLE_SECONDS');
	},
);
