import { expect, it } from 'vitest';

import { describeTool, indexByName } from '../../../src/policy/describeTool';

const policy = { tools: [], unlistedTools: 'allow', useServerHints: true } as const;
const listed = (readOnlyHint: boolean) =>
	describeTool(
		{ name: 'pay', inputSchema: {}, annotations: { readOnlyHint }, problems: [] },
		policy,
	);

it.each([
	['first', [false, true]],
	['last', [true, false]],
])('a name listed twice has the stricter effect, listed %s (C11)', (_, hints) => {
	const index = indexByName(hints.map(listed));
	expect(index.get('pay')?.effect).toBe('write');
});
