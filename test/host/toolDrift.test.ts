import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, test } from 'vitest';
import type { Json } from '../../scripts/host/json';
import type { CredentialReference } from '../../scripts/host/n8nRest';
import { jsonCall } from '../support/calls';
import { host, httpConnection, itemsOf, jsonOf, runUntil } from '../support/host';
import type { ServedTool, ToolServer } from '../support/servers/toolServer';
import { listed, startToolServer } from '../support/servers/toolServer';
import { items, manualTrigger, toolCall, toolPicker, workflow } from '../support/workflow';

const endings: (() => Promise<void>)[] = [];
afterEach(async () => {
	for (const end of endings.splice(0)) await end();
});

/** A server whose tools the test changes while it runs. */
async function serve(tools: ServedTool[], connection: Json = {}) {
	const server: ToolServer = await startToolServer(tools);
	endings.push(() => server.stop());
	const credential = await httpConnection(host().rest, {
		endpoint: server.endpoint,
		...connection,
	});
	return { server, credential };
}

/** What List puts out: a stored fingerprint set. */
async function listTools(credential: CredentialReference): Promise<readonly Json[]> {
	const execution = await runUntil(
		host().rest,
		workflow([manualTrigger(), toolPicker(credential, { operation: 'list' })]),
		['success'],
	);
	return jsonOf(execution, 'Pick');
}

const changedTools: readonly ServedTool[] = [
	{ listed: { ...listed('pay', { readOnlyHint: true }), description: 'Pays at once' } },
	{ listed: listed('look') },
	{ listed: listed('fresh') },
];

const compare = (baselineTools: Json | readonly Json[] | string): Json => ({
	operation: 'compare',
	baseline: 'given',
	baselineTools: typeof baselineTools === 'string' ? baselineTools : JSON.stringify(baselineTools),
});

describe('Compare with a fingerprint set that is given (G4)', () => {
	test('reports what was added, removed and changed, and new overclaims; the same tools are no drift', async () => {
		const { rest } = host();
		const pay = listed('pay');
		const tools = [{ listed: pay }, { listed: listed('look') }, { listed: listed('gone') }];
		const { server, credential } = await serve(tools, {
			toolPolicies: { tool: [{ name: 'pay', effect: 'write' }] },
		});
		const before = await listTools(credential);
		const fingerprints = Object.fromEntries(
			before.map(({ tool, fingerprint }) => [String(tool), fingerprint]),
		);
		const reportOf = async (baseline: Json | readonly Json[]) => {
			const spec = workflow([manualTrigger(), toolPicker(credential, compare(baseline))]);
			return jsonOf(await runUntil(rest, spec, ['success']), 'Pick');
		};
		const same = { serverName: 'demo', comparedWith: 'given', drifted: false, remembered: false };
		expect(await reportOf(before)).toEqual([
			{ ...same, added: [], removed: [], changed: [], newOverclaims: [], unchanged: 3 },
		]);
		tools.splice(0, 3, ...changedTools);
		const changed = { tool: 'pay', fingerprint: expect.any(String) as unknown };
		const previousFingerprint = fingerprints['pay'];
		const report = {
			serverName: 'demo',
			comparedWith: 'given',
			added: ['fresh'],
			removed: ['gone'],
			newOverclaims: [{ tool: 'pay', overclaims: ['readOnlyHint: true'] }],
			unchanged: 1,
			drifted: true,
			remembered: false,
		};
		expect(await reportOf(before)).toEqual([
			{
				...report,
				changed: [{ ...changed, changes: ['description', 'annotations'], previousFingerprint }],
			},
		]);
		expect(await reportOf(fingerprints)).toEqual([
			{ ...report, changed: [{ ...changed, changes: [], previousFingerprint }] },
		]);
		expect(server.calls).toEqual([]);
	});

	test('gives one report for each item, paired; a baseline that is none fails its item alone and says what to give', async () => {
		const { credential } = await serve([{ listed: listed('pay') }]);
		const execution = await runUntil(
			host().rest,
			workflow([
				manualTrigger(),
				items([{ before: {} }, { before: '[{"tool":"pay"}]' }, { before: ' ' }, { before: [] }]),
				toolPicker(credential, compare('={{ $json.before }}'), {
					onError: 'continueRegularOutput',
				}),
			]),
			['success'],
		);
		const put = itemsOf(execution, 'Pick');
		expect(put.map(({ pairedItem }) => pairedItem)).toEqual([0, 1, 2, 3].map((item) => ({ item })));
		expect(put.map(({ json }) => json.added ?? json.error)).toEqual([
			['pay'],
			expect.objectContaining({
				code: 'arguments-invalid',
				disposition: 'did-not-happen',
				message: 'Baseline Tools has no fingerprint of 64 hexadecimal digits for "pay"',
			}),
			expect.objectContaining({ message: 'Baseline Tools is empty' }),
			['pay'],
		]);
	});
});

describe('Compare with what the ledger remembers (G4)', () => {
	test('the first time there is nothing: it says so and remembers; then drift is reported until it is accepted', async () => {
		const { rest } = host();
		const serverName = `drift-${randomUUID()}`;
		const tools = [{ listed: listed('pay') }, { listed: listed('gone') }];
		const { credential } = await serve(tools, {
			serverName,
			toolPolicies: { tool: [{ name: 'pay', effect: 'write' }] },
		});
		const FIRST_TIME = {
			type: 'info',
			location: 'outputPane',
			message: `The ledger knew no tools of ${serverName} yet, so nothing was compared. The present ones are remembered for the next comparison, also while Remember is off.`,
		};
		/** Two items of one run, which compare with the same. */
		const reportOf = async (parameters: Json = {}) => {
			const spec = workflow([
				manualTrigger(),
				items([{ n: 1 }, { n: 2 }]),
				toolPicker(credential, { operation: 'compare', ...parameters }),
			]);
			const done = await runUntil(rest, spec, ['success']);
			const [report, ...same] = jsonOf(done, 'Pick');
			expect(same).toEqual([report]);
			expect(done.runData.Pick?.[0]?.hints ?? []).toEqual(
				report?.comparedWith === 'nothing' ? [FIRST_TIME] : [],
			);
			return report;
		};
		const none = { added: [], removed: [], changed: [], newOverclaims: [], drifted: false };
		const firstAt = new Date();
		expect(await reportOf()).toEqual({
			...none,
			serverName,
			comparedWith: 'nothing',
			unchanged: 0,
			remembered: true,
		});
		const again = await reportOf();
		expect(again).toEqual({
			...none,
			serverName,
			comparedWith: 'ledger',
			baselineAt: expect.any(String) as unknown,
			unchanged: 2,
			remembered: false,
		});
		expect(Date.parse(String(again?.baselineAt))).toBeGreaterThanOrEqual(firstAt.getTime());
		tools.splice(0, 2, ...changedTools);
		const drifted = {
			serverName,
			comparedWith: 'ledger',
			added: ['look', 'fresh'],
			removed: ['gone'],
			changed: [expect.objectContaining({ tool: 'pay', changes: ['description', 'annotations'] })],
			newOverclaims: [{ tool: 'pay', overclaims: ['readOnlyHint: true'] }],
			unchanged: 0,
			drifted: true,
		};
		expect(await reportOf()).toMatchObject({ ...drifted, remembered: false });
		expect(await reportOf({ remember: true })).toMatchObject({ ...drifted, remembered: true });
		expect(await reportOf()).toMatchObject({ ...none, unchanged: 3, comparedWith: 'ledger' });
	});

	test('a set that is given can be compared with and the present one remembered (G4)', async () => {
		const { rest } = host();
		const serverName = `drift-${randomUUID()}`;
		const { credential } = await serve([{ listed: listed('pay') }], { serverName });
		const reportOf = async (parameters: Json) => {
			const spec = workflow([manualTrigger(), toolPicker(credential, parameters)]);
			return jsonOf(await runUntil(rest, spec, ['success']), 'Pick')[0];
		};
		expect(await reportOf({ ...compare('{}'), remember: true })).toMatchObject({
			comparedWith: 'given',
			added: ['pay'],
			remembered: true,
		});
		expect(await reportOf({ operation: 'compare' })).toMatchObject({
			comparedWith: 'ledger',
			unchanged: 1,
			drifted: false,
		});
	});
});

describe('a pinned fingerprint at the call node (G4)', () => {
	/** Calls `pay` for two items under a pin that was taken before the tool changed, or not. */
	async function pinned(options: Json, { changed }: { readonly changed: boolean }) {
		const tools = [{ listed: listed('pay') }];
		const { server, credential } = await serve(tools);
		const [before] = await listTools(credential);
		if (changed) tools[0] = { listed: { ...listed('pay'), description: 'Pays twice' } };
		const pin = { pinnedFingerprint: before?.fingerprint, ...options };
		const spec = workflow([
			manualTrigger(),
			items([{ n: 1 }, { n: 2 }]),
			toolCall(credential, jsonCall('pay', {}, pin)),
		]);
		return { server, spec, credential };
	}

	test('that still holds says nothing', async () => {
		const { server, spec } = await pinned({ onDrift: 'refuse' }, { changed: false });
		const execution = await runUntil(host().rest, spec, ['success']);
		for (const { call } of jsonOf(execution, 'Call')) expect(call).not.toHaveProperty('warnings');
		expect(execution.runData.Call?.[0]?.hints ?? []).toEqual([]);
		expect(server.calls).toHaveLength(2);
	});

	test('that no longer holds warns on each item and once at the node, and the call is made', async () => {
		const { server, spec, credential } = await pinned({}, { changed: true });
		const execution = await runUntil(host().rest, spec, ['success']);
		const [now] = await listTools(credential);
		const warning = `"pay" has changed since its fingerprint was pinned: the present one is ${String(now?.fingerprint)}`;
		expect(jsonOf(execution, 'Call').map(({ call }) => call)).toEqual(
			[1, 2].map((): unknown =>
				expect.objectContaining({ outcome: 'completed', warnings: [warning] }),
			),
		);
		expect(execution.runData.Call?.[0]?.hints).toEqual([
			expect.objectContaining({ type: 'warning' }),
		]);
		expect(server.calls).toHaveLength(2);
	});

	test('that no longer holds refuses when On Drift says so: nothing is sent, and the error says what to do', async () => {
		const { server, spec } = await pinned({ onDrift: 'refuse' }, { changed: true });
		const { error } = await runUntil(host().rest, spec, ['error']);
		expect(error?.message).toContain('"pay" has changed since its fingerprint was pinned');
		expect(error?.description).toContain('See with the operation Compare of the tool picker');
		expect(error?.description).toContain('Code: policy-denied. Disposition: did-not-happen.');
		expect(error?.description).toContain('Effect of the tool: write (default).');
		expect(server.calls).toEqual([]);
	});

	test.each(['abc', "={{ $json.nothing ?? 'sha256' }}"])(
		'that is no fingerprint is an error whatever On Drift says: %s',
		async (pinnedFingerprint) => {
			const { server, spec } = await pinned({ pinnedFingerprint }, { changed: false });
			const { error } = await runUntil(host().rest, spec, ['error']);
			expect(error?.message).toContain('Pinned Fingerprint of "pay" is no fingerprint');
			expect(server.calls).toEqual([]);
		},
	);
});
