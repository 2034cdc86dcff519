import { expect, it } from 'vitest';

import { CREATE_VERSION, MIGRATIONS } from '../../../src/ledger/sqliteSchema';
import { tableUnder, textOf } from './tablesOf';

it('the decision on the ledger names every table that a ledger has', () => {
	const made = [CREATE_VERSION, ...MIGRATIONS].flatMap((sql) =>
		[...sql.matchAll(/CREATE TABLE (?:IF NOT EXISTS )?(\w+)/g)].map(([, name]) => `\`${name}\``),
	);
	const page = textOf('docs/decisions/0005-ledger-on-sqlite-or-postgres.md');
	const named = tableUnder(page, 'Decision').map(([name]) => name);
	expect(named.toSorted()).toEqual(made.toSorted());
});
