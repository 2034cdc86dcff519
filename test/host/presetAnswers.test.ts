import { expect, test } from 'vitest';
import type { Json } from '../../scripts/host/json';
import { jsonCall } from '../support/calls';
import { host, jsonOf, runUntil, stdioConnection, toolCallType } from '../support/host';
import { everythingServerCommand } from '../support/hostPeers';
import { items, manualTrigger, toolCall, workflow } from '../support/workflow';

const asking = 'trigger-elicitation-request';
const connect = async () =>
	await stdioConnection(host().rest, [...everythingServerCommand, 'stdio'], {
		serverName: 'everything',
	});

/** Calls the tool that asks once for each item; gives what each put out. */
async function ask(
	presetAnswers: Json | string | undefined,
	given: readonly Json[] = [{}],
): Promise<readonly Json[]> {
	const answers = typeof presetAnswers === 'object' ? JSON.stringify(presetAnswers) : presetAnswers;
	const options = answers === undefined ? {} : { presetAnswers: answers };
	const execution = await runUntil(
		host().rest,
		workflow([
			manualTrigger(),
			items(given),
			toolCall(await connect(), jsonCall(asking, {}, options), {
				onError: 'continueRegularOutput',
			}),
		]),
		['success'],
	);
	return jsonOf(execution, 'Call');
}

test('a server that asks in the middle of a call gets the presets that fit, and is refused the others (C12)', async () => {
	const [answered] = await ask({ name: 'Ada', integer: 7, unasked: 'x' });
	expect(JSON.stringify(answered?.output)).toContain('- Name: Ada\\n- Favorite Integer: 7');
	const [declined] = await ask({ name: 'Ada', integer: 101 });
	expect(JSON.stringify(declined?.output)).toContain('User declined');
});

test('nodes with other answers share no connection, whatever else is equal (C9, C12)', async () => {
	const credential = await connect();
	const named = (name?: string) =>
		toolCall(
			credential,
			jsonCall(asking, {}, name === undefined ? {} : { presetAnswers: JSON.stringify({ name }) }),
			{ onError: 'continueRegularOutput' },
		);
	const nodes = [named('Ada'), named('Bo'), named(), named('Ada')].map((node, index) => ({
		...node,
		name: `Ask ${String(index)}`,
	}));
	const spec = workflow([manualTrigger(), ...nodes]);
	const execution = await runUntil(host().rest, spec, ['success']);
	const said = nodes.map(({ name }) => JSON.stringify(jsonOf(execution, name)));
	expect(said.map((text) => /- Name: (\w+)|tool-unknown/.exec(text)?.slice(0, 2))).toEqual([
		['- Name: Ada', 'Ada'],
		['- Name: Bo', 'Bo'],
		['tool-unknown', undefined],
		['- Name: Ada', 'Ada'],
	]);
});

test.each([undefined, '', '{}'])(
	'without presets (%j) it is not told that it may ask: this one does not list the tool then (C12)',
	async (presetAnswers) => {
		const [item] = await ask(presetAnswers);
		expect(item?.error).toMatchObject({ code: 'tool-unknown' });
	},
);

test('an expression that is the same for all items counts; an item with other answers is refused (C12)', async () => {
	const answers = "={{ { name: 'Ada', integer: $json.integer } }}";
	const put = await ask(answers, [{ integer: 7 }, { integer: 7 }, { integer: 8 }]);
	expect(put.map((item) => 'output' in item)).toEqual([true, true, false]);
	expect(put[2]?.error).toMatchObject({
		code: 'arguments-invalid',
		message: 'Preset Answers differ between the items of one run',
	});
});

test.each([
	['[1]', 'Preset Answers must be a JSON object, but an array arrived'],
	['{"name":', 'Preset Answers is not valid JSON'],
])('%j fails the node before anything is sent (C12)', async (presetAnswers, message) => {
	const call = toolCall(await connect(), jsonCall(asking, {}, { presetAnswers }));
	const { error } = await runUntil(host().rest, workflow([manualTrigger(), call]), ['error']);
	expect(error?.message).toContain(message);
});

test('the editor lists the tools that ask once there are presets (C12)', async () => {
	const credential = await connect();
	const listWith = async (options: Json) => {
		const { results } = await host().rest.resourceLocatorResults(
			{
				nodeType: toolCallType,
				method: 'searchTools',
				parameter: 'tool',
				parameters: { options },
				credentials: { mcpConnectionApi: credential },
			},
			asking,
		);
		return (results as readonly Json[]).map(({ value }) => value);
	};
	expect(await listWith({})).toEqual([]);
	expect(await listWith({ presetAnswers: '{"name":"Ada"}' })).toContain(asking);
	expect(await listWith({ presetAnswers: '{"name":' })).toEqual([]);
});
