import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { postgresSchema } from '../../../src/ledger/postgresSchema';
import { MIGRATIONS } from '../../../src/ledger/sqliteSchema';

const digests = (migrations: readonly string[]): readonly string[] =>
	migrations.map((sql) => createHash('sha256').update(sql).digest('hex').slice(0, 16));

/** Ledgers were made by these texts: a change goes into a new entry, and adds a line here. */
describe('the migrations of a ledger that were released do not change', () => {
	it('on SQLite', () => {
		expect(digests(MIGRATIONS)).toEqual([
			'635b541fa87782a4',
			'5a89d430dd36dc86',
			'2def1f03038788fd',
		]);
	});

	it('on Postgres', () => {
		expect(digests(postgresSchema('"public"').migrations)).toEqual([
			'0f1c7062eb78a637',
			'352922dc99fe5090',
			'e601a6e5b14b9a1a',
		]);
	});
});
