import { afterEach, expect, test } from 'vitest';
import type { Json } from '../../scripts/host/json';
import { byName, jsonCall } from '../support/calls';
import { host, httpConnection, jsonOf, runUntil, toolCallType } from '../support/host';
import { limitedAwait } from '../support/limitedRuns';
import { callEach, manyItems } from '../support/manyParks';
import { answers, suspends } from '../support/parkRuns';
import { startParkServer } from '../support/servers/parkServer';
import { listed, startToolServer } from '../support/servers/toolServer';
import { items, manualTrigger, toolCall, toolPicker, workflow } from '../support/workflow';

/** n8n hands the input of a node that throws to its first output, where the workflow believes that the call was made. */
const settings = [
	['continueRegularOutput', 0],
	['continueErrorOutput', 1],
] as const;

const NOTHING = '={{ $json.nothing }}';

const unusable: readonly (readonly [string, Json, string])[] = [
	['Maximum Attempts 0', { maxAttempts: 0 }, 'Maximum Attempts must be'],
	['Maximum Attempts of nothing', { maxAttempts: NOTHING }, 'Maximum Attempts must be'],
	['Maximum Attempts that fails', { maxAttempts: '={{ nope( }}' }, 'A parameter of the node'],
	['Concurrency that fails', { concurrency: '={{ nope( }}' }, 'A parameter of the node'],
	...(['', 0, '={{ null }}', NOTHING] as const).map(
		(amount) =>
			[
				`Limit Wait of ${JSON.stringify(amount)}`,
				{ limitWait: { values: { amount, unit: 'hours', onExpiry: 'continue' } } },
				'Limit Wait has an Amount',
			] as const,
	),
	[
		'Limit Wait whose unit is nothing',
		{ limitWait: { values: { amount: 1, unit: NOTHING, onExpiry: 'continue' } } },
		'Limit Wait has a Unit',
	],
	['Preset Answers that are a list', { presetAnswers: '[]' }, 'Preset Answers must be'],
	['Preset Answers that break off', { presetAnswers: '{"a": ' }, 'Preset Answers is not valid'],
	['Treat As of nothing', { treatAs: NOTHING }, 'Treat As must be'],
];

const endings: (() => Promise<void>)[] = [];
afterEach(async () => {
	for (const end of endings.splice(0)) await end();
});

async function serve() {
	const server = await startToolServer([{ listed: listed('pay') }]);
	endings.push(() => server.stop());
	return server;
}

test.each(
	unusable.flatMap(([name, options, message]) =>
		settings.map(([onError, output]) => [name, onError, { options, message, output }] as const),
	),
)('%s, %s: each item fails, and none leaves as if it were paid', async (_, onError, given) => {
	const { rest } = host();
	const server = await serve();
	const credential = await httpConnection(rest, { endpoint: server.endpoint });
	const execution = await runUntil(
		rest,
		workflow([
			manualTrigger(),
			items([{ n: 1 }, { n: 2 }]),
			toolCall(credential, jsonCall('pay', {}, given.options), { onError }),
		]),
		['success'],
	);
	expect(server.calls).toEqual([]);
	const failed = jsonOf(execution, 'Call', given.output);
	const refused = {
		error: {
			message: expect.stringContaining(given.message) as unknown,
			code: 'arguments-invalid',
			disposition: 'did-not-happen',
			attempts: 0,
		},
		details: { call: { tool: 'pay', outcome: 'failed', disposition: 'did-not-happen' } },
	};
	expect(failed).toMatchObject([refused, refused]);
	if (given.output === 1) expect(jsonOf(execution, 'Call', 0)).toEqual([]);
});

test('without On Error the node fails as always, and names the field', async () => {
	const { rest } = host();
	const server = await serve();
	const credential = await httpConnection(rest, { endpoint: server.endpoint });
	const { error, lastNode } = await runUntil(
		rest,
		workflow([manualTrigger(), toolCall(credential, jsonCall('pay', {}, { maxAttempts: 0 }))]),
		['error'],
	);
	expect(lastNode).toBe('Call');
	expect(error?.message).toBe('Maximum Attempts must be a whole number from 1 to 20');
	expect(server.calls).toEqual([]);
});

test.each([[{}], [{ values: {} }], [{ values: { unit: 'minutes' } }]])(
	"a Limit Wait whose fields were never set (%j) has n8n's defaults",
	async (limitWait) => {
		const { rest } = host();
		const server = await serve();
		const credential = await httpConnection(rest, { endpoint: server.endpoint });
		const call = toolCall(credential, jsonCall('pay', {}, { limitWait }));
		await runUntil(rest, workflow([manualTrigger(), call]), ['success']);
		expect(server.calls).toHaveLength(1);
	},
);

test.each(['list', 'pick'])(
	'the Tool Picker refuses a Maximum Effect of nothing: %s gives no tool',
	async (operation) => {
		const { rest } = host();
		const server = await serve();
		const credential = await httpConnection(rest, { endpoint: server.endpoint });
		const parameters = { operation, tool: byName('pay'), maximumEffect: NOTHING };
		const execution = await runUntil(
			rest,
			workflow([
				manualTrigger(),
				toolPicker(credential, parameters, { onError: 'continueErrorOutput' }),
			]),
			['success'],
		);
		expect(jsonOf(execution, 'Pick', 0)).toEqual([]);
		expect(jsonOf(execution, 'Pick', 1)).toMatchObject([
			{
				error: {
					code: 'arguments-invalid',
					message: 'Maximum Effect must be read, idempotent or write, but nothing arrived',
				},
			},
		]);
	},
);

test.each(settings)(
	'Await, %s: an item that cannot be awaited fails and still holds its park; the others pass',
	async (onError, output) => {
		const { rest } = host();
		const server = await startParkServer();
		endings.push(() => server.stop());
		const credential = await httpConnection(rest, { endpoint: server.endpoint });
		const calls = [answers('done'), suspends('Pay?')];
		const limit = { limitWait: { values: { amount: 0, unit: 'hours', onExpiry: 'continue' } } };
		const execution = await runUntil(
			rest,
			manyItems(calls, [
				callEach(credential, { whenParked: 'continue' }),
				limitedAwait(toolCallType, limit, { onError }),
			]),
			['success'],
		);
		const failed = {
			error: {
				message: 'Limit Wait has an Amount that is not a number above 0',
				code: 'arguments-invalid',
				disposition: 'landed',
			},
			details: {
				call: {
					tool: 'relay',
					outcome: 'failed',
					disposition: 'landed',
					park: { kind: 'person', reason: 'Pay?' },
				},
				description: expect.stringContaining('The call was made and is not repeated') as unknown,
			},
		};
		const passed = { call: { outcome: 'completed' } };
		if (output === 0) {
			expect(jsonOf(execution, 'Await')).toMatchObject([passed, failed]);
			return;
		}
		expect(jsonOf(execution, 'Await', 0)).toMatchObject([passed]);
		// n8n puts the input's fields beside the error, so a later Await can still wait for it.
		expect(jsonOf(execution, 'Await', 1)).toMatchObject([
			{ ...failed, call: { outcome: 'suspended', park: { reason: 'Pay?' } } },
		]);
	},
);
