import { expect, it } from 'vitest';

import { isPlainObject, own } from '../../../src/json/plainObject';
import { fieldNames, fieldRows, statedRows } from './outputs/fieldNames';
import { failedItems, goodItems } from './outputs/toolCallItems';
import { tableUnder, textOf } from './tablesOf';

const page = textOf('docs/nodes.md');

it('the page on nodes names each field that Salvor MCP Tool Call puts out, and which ones always', async () => {
	const items = (await goodItems()).map(({ json, binary }) =>
		fieldNames(binary === undefined ? json : { ...json, binary }, ['binary', 'call', 'call.park']),
	);
	expect(statedRows(tableUnder(page, 'Output of Tool Call'))).toEqual(fieldRows(items));
});

it('and each field of an item that failed, with what its `call` has beside that of a good one', async () => {
	const good = (await goodItems()).flatMap(({ json }) => fieldNames(json, ['call']));
	const items = failedItems.map(({ json }) => {
		const names = fieldNames(json, ['error', 'details', 'details.toolError', 'details.call']);
		const inCall = names.filter((name) => name.startsWith('details.call.'));
		const known = inCall.filter((name) => good.includes(name.replace('details.', '')));
		return ['details.call', ...names.filter((name) => !known.includes(name))];
	});
	expect(statedRows(tableUnder(page, 'A failed item'))).toEqual(fieldRows(items));
});

it('and each outcome', async () => {
	const calls = [
		...(await goodItems()).map(({ json: { call } }) => call),
		...failedItems.map(({ json: { details } }) => inside(details, 'call')),
	];
	const outcomes = new Set(calls.map((call) => `\`${String(inside(call, 'outcome'))}\``));
	const named = tableUnder(page, 'Outcomes').map(([outcome]) => outcome);
	expect(named.toSorted()).toEqual([...outcomes].toSorted());
});

const inside = (value: unknown, key: string): unknown =>
	isPlainObject(value) ? own(value, key) : undefined;
