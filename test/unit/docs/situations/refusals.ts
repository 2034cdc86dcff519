import { refusalOf } from '../../../../nodes/McpToolPicker/limits';
import { denied } from '../../../../nodes/McpToolPicker/refusals';
import { brokenRows, type Refusal, unknownTool } from '../../../../src/call/refusals';
import { noPlace, noTurn } from '../../../../src/mcp/poolFailures';
import { readIdleMs } from '../../../../src/mcp/poolSettings';
import { failureTitle } from '../../../../src/n8n/failureText';
import { describeTool } from '../../../../src/policy/describeTool';
import { readEffect } from '../../../../src/policy/readEffect';
import { failureOf } from '../../../support/connections';
import type { Situations } from './situations';

const refusing = (refusal: Refusal): string =>
	failureTitle({ ...refusal, disposition: 'did-not-happen' });

/** What is said of a tool that is picked and does more than the node allows. */
function picking(): string {
	const policy = { tools: [], unlistedTools: 'allow', useServerHints: true } as const;
	const tool = describeTool({ name: 'pay', inputSchema: {}, problems: [] }, policy);
	const limits = { maximumEffect: 'read', include: [], exclude: [] } as const;
	return failureTitle(denied(refusalOf(tool, false, limits) ?? ''));
}

export const refusals: Situations = {
	'a row for no tool': () => refusing(brokenRows(['pay'], 'billing')),
	'a tool that is not listed': () =>
		refusing(unknownTool('pay', { listsTools: true, serverName: 'billing' })),
	'a server without tools': () =>
		refusing(unknownTool('pay', { listsTools: false, serverName: 'billing' })),
	'a tool that may not be picked': picking,
	'a limit of effects that is none': () =>
		failureTitle(failureOf(readEffect('Reed', 'Maximum Effect'))),
	'no number for idle connections': () =>
		failureTitle(failureOf(readIdleMs({ SALVOR_POOL_IDLE_SECONDS: 'a minute' }))),
	'no free place': () => failureTitle(noPlace(100, 30_000)),
	'no turn': () => failureTitle(noTurn(100, 3_600_000)),
};
