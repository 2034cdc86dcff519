import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { openLedger } from '../../../nodes/shared/openLedger';
import type { Ledger } from '../../../src/ledger/ledger';
import { valueOf } from '../../support/connections';
import { fill, putOut, STATES } from './outputs/callLedgerItems';
import { fieldNames } from './outputs/fieldNames';
import { tableUnder, textOf } from './tablesOf';

const page = textOf('docs/nodes.md');
const before = process.env['SALVOR_LEDGER'];
const folder = mkdtempSync(join(tmpdir(), 'salvor-ledger-'));
let ledger: Ledger;

beforeAll(async () => {
	process.env['SALVOR_LEDGER'] = `sqlite:${join(folder, 'ledger.sqlite')}`;
	ledger = valueOf(await openLedger());
	await fill(ledger);
});
afterAll(async () => {
	await ledger.close();
	if (before === undefined) delete process.env['SALVOR_LEDGER'];
	else process.env['SALVOR_LEDGER'] = before;
	rmSync(folder, { recursive: true });
});

const listed = async () => await putOut({ operation: 'list', states: STATES, returnAll: true });

it('the page on nodes names each field of List, and the states in which it may say something', async () => {
	const entries = await listed();
	const says = (field: string, state: string) =>
		entries.some((entry) => entry['state'] === state && entry[field] !== null);
	const fields = Object.keys(entries[0] ?? {});
	expect(
		tableUnder(page, 'Output of Call Ledger').map(([field, states]) => [field, statesIn(states)]),
	).toEqual(fields.map((field) => [`\`${field}\``, STATES.filter((state) => says(field, state))]));
});

/** The states that a cell means, in the order of all of them. */
function statesIn(cell = ''): readonly string[] {
	const named = STATES.filter((state) => cell.includes(`\`${state}\``));
	if (cell === 'all') return STATES;
	return cell.startsWith('all but ') ? STATES.filter((state) => !named.includes(state)) : named;
}

const DECIDED = { decidedBy: 'ops', reason: 'Looked up' };
const KEY = { serverName: 'billing', tool: 'pay' };
const OPERATIONS = {
	Resolve: { operation: 'resolve', ...KEY, key: 'doubt', output: '{}' },
	Release: { operation: 'release', ...KEY, key: 'free' },
	Answer: { operation: 'answer', executionId: '7', answer: '{}' },
	Purge: { operation: 'purge' },
} as const;

it.each(Object.entries(OPERATIONS))('and each field of what %s puts out', async (name, asked) => {
	const ofList = Object.keys((await listed())[0] ?? {});
	const [item = {}] = await putOut({ ...asked, ...DECIDED });
	const givesCall = name === 'Resolve' || name === 'Release';
	const fields = Object.keys(item).map((field) =>
		givesCall && field !== 'decision' && ofList.includes(field)
			? 'the fields of List'
			: `\`${field}\``,
	);
	const named = tableUnder(page, 'The other operations').flatMap(([field, operations = '']) =>
		operations === 'all' || operations.split(', ').includes(name) ? [field] : [],
	);
	expect(named.toSorted()).toEqual([...new Set(fields)].toSorted());
});

it('and each field of an item that failed', async () => {
	const [item = {}] = await putOut({ operation: 'release' });
	const said = page.split('\n').find((line) => line.startsWith('An item that fails has `')) ?? '';
	const named = [...said.matchAll(/`([\w.]+)`/g)].map(([, name]) => name);
	expect(named).toEqual(fieldNames(item, ['error', 'details']));
});
