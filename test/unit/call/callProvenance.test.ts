import { describe, expect, it } from 'vitest';

import { sha256 } from '../../../nodes/shared/sha256';
import { callTool } from '../../../src/call/callTool';
import { checkCall } from '../../../src/call/checkCall';
import type { Claims } from '../../../src/call/claims';
import type { Origin, Sign } from '../../../src/call/provenance';
import type { Result } from '../../../src/outcome/failure';
import type { ConnectionPolicy } from '../../../src/policy/connectionPolicy';
import { describeTools, indexByPublicName } from '../../../src/policy/describeTool';
import { broken, type Scripted, scriptedSession, textResult } from '../../support/scriptedSession';
import { retryingOn, virtualClock } from '../../support/virtualClock';

const policy: ConnectionPolicy = {
	tools: [{ name: 'look', effect: 'read', access: 'allowed', idempotencyKey: ['id'] }],
	unlistedTools: 'allow',
	useServerHints: true,
};
const listed = ['look', 'a b', 'a_b'].map((name) => ({ name, inputSchema: {}, problems: [] }));
const tools = indexByPublicName(describeTools(listed, policy, 'shop'));
const origin: Origin = {
	workflow: 'w',
	execution: '7',
	node: 'Look',
	item: 2,
	call: 'c-1',
	attemptsBefore: 0,
};

const unused = () => {
	throw new Error('a call without a key has nothing to do with the ledger');
};
const claims: Claims = {
	store: { claim: unused, beat: unused, settle: unused, doubt: unused, withdraw: unused },
	newClaimId: unused,
	hold: unused,
	isGone: unused,
	now: unused,
};

const context = {
	serverName: 'Shop',
	tools,
	unoffered: { idle: [], broken: [] },
	checkArguments: () => [],
	sha256,
};

/** Calls `shop__look` over a session that answers as told; gives what was sent. */
async function sent(
	script: readonly Scripted[],
	more: { readonly origin?: Origin; readonly meta?: object; readonly sign?: Sign },
) {
	const session = scriptedSession(...script);
	const { sign, ...request } = more;
	const { checked } = checkCall(context, {
		toolName: 'shop__look',
		arguments: { id: 1 },
		...request,
	} as Parameters<typeof checkCall>[1]);
	if (!checked.ok) throw new Error(checked.failure.message);
	const retrying = retryingOn(virtualClock());
	await callTool({ ...context, session, sign, retrying, claims }, checked.value, unused);
	return session.sent;
}

const key = (name: string) => `io.github.n8n-nodes-salvor/${name}`;
const ended: Result<never> = broken('unreachable', 'did-not-happen');

describe('where a call comes from (C15)', () => {
	it('nothing is said of it unless the author wants it told, key or no key', async () => {
		const sign: Sign = () => ({ algorithm: 'Ed25519', value: 'x' });
		expect(await sent([textResult('x')], { sign })).toEqual([
			{ name: 'look', arguments: { id: 1 } },
		]);
	});

	it('all attempts of a call have its id, each has its own number and signature', async () => {
		const signed: string[] = [];
		const sign: Sign = (text) => ({
			algorithm: 'Ed25519',
			value: `signature ${signed.push(text)}`,
		});
		const requests = await sent([ended, ended, textResult('x')], { origin, sign });
		const fields = { workflow: 'w', execution: '7', node: 'Look', item: 2, call: 'c-1' };
		expect(requests.map(({ meta }) => meta)).toEqual(
			[1, 2, 3].map((attempt) => ({
				...Object.fromEntries(Object.entries(fields).map(([name, value]) => [key(name), value])),
				[key('attempt')]: attempt,
				[key('signature')]: { algorithm: 'Ed25519', value: `signature ${String(attempt)}` },
			})),
		);
		expect(signed.map((text) => (JSON.parse(text) as { attempt: number }).attempt)).toEqual([
			1, 2, 3,
		]);
	});

	it('without a signing key there is no signature, not even an empty one', async () => {
		const [request] = await sent([textResult('x')], { origin });
		expect(request?.meta).not.toHaveProperty([key('signature')]);
		expect(request?.meta).toMatchObject({ [key('call')]: 'c-1' });
	});

	it('what was tried before Retry On Fail is counted on', async () => {
		const requests = await sent([ended, textResult('x')], {
			origin: { ...origin, attemptsBefore: 3 },
		});
		expect(requests.map(({ meta }) => meta?.[key('attempt')])).toEqual([4, 5]);
	});

	it('the resume URL stands beside it', async () => {
		const meta = { [key('resume-url')]: 'http://127.0.0.1/1' };
		const [request] = await sent([textResult('x')], { origin, meta });
		expect(request?.meta).toMatchObject({ ...meta, [key('call')]: 'c-1' });
		expect(await sent([textResult('x')], { meta })).toMatchObject([{ meta }]);
	});
});

describe('a tool is called by its public name (C11)', () => {
	const check = (toolName: string) => checkCall(context, { toolName, arguments: { id: 1 } });

	it("and the server gets, and the item says, the server's own", async () => {
		expect(await sent([textResult('x')], {})).toMatchObject([{ name: 'look' }]);
		expect(check('shop__look').facts).toMatchObject({ tool: 'look', decided: { effect: 'read' } });
	});

	it("not by the server's own name, and the refusal says by which", () => {
		expect(check('look').checked).toMatchObject({
			failure: {
				code: 'tool-unknown',
				message: 'The server "Shop" does not list a tool "look"',
				remedy: 'Write "shop__look": the connection has a namespace.',
			},
		});
	});

	it('a name that two tools share calls neither, and the refusal names both', () => {
		expect(check('shop__a_b').checked).toMatchObject({
			failure: {
				code: 'connection-invalid',
				disposition: 'did-not-happen',
				message:
					'"shop__a_b" cannot be called: the tools "a b" and "a_b" have one name under the namespace "shop", "shop__a_b"',
			},
		});
	});
});
