import { DatabaseError } from 'pg';

import { readLedgerSettings } from '../../../../src/ledger/ledgerSettings';
import { openLedger } from '../../../../src/ledger/openLedger';
import { postgresTrouble } from '../../../../src/ledger/postgresTrouble';
import { NO_WAL, REPLACED, sqliteTrouble } from '../../../../src/ledger/sqliteTrouble';
import { madeByNewer, type Trouble, unavailable } from '../../../../src/ledger/unavailable';
import { failureTitle } from '../../../../src/n8n/failureText';
import { failureOf, temporaryFolder } from '../../../support/connections';
import type { Situations } from './situations';

const settings = (environment: Readonly<Record<string, string>>): string =>
	failureTitle(
		failureOf(
			readLedgerSettings({
				environment,
				platform: 'linux',
				workingFolder: '/home/node',
				readFile: () => {
					throw new Error('not readable');
				},
			}),
		),
	);

const opening = async (file: string): Promise<string> =>
	failureTitle(failureOf(await openLedger({ place: { kind: 'sqlite', file } })));

const told = (trouble: Trouble): string =>
	failureTitle(unavailable('sqlite:/home/node/.n8n/salvor-ledger.sqlite', trouble).failure);

const sqlite = (errcode: number): string =>
	told(sqliteTrouble(Object.assign(new Error('as asked'), { errcode })));

const file = (code: string): string =>
	told(sqliteTrouble(Object.assign(new Error('as asked'), { code })));

function postgres(sqlState: string): string {
	const error = new DatabaseError('as asked', 0, 'error');
	error.code = sqlState;
	return told(postgresTrouble(error));
}

export const ledgers: Situations = {
	'a ledger that is nothing known': () => settings({ SALVOR_LEDGER: 'mysql://db/n8n' }),
	'a retention that is no number': () => settings({ SALVOR_LEDGER_RETENTION_DAYS: 'forever' }),
	'a secret that is not mounted': () => settings({ SALVOR_LEDGER_FILE: '/run/secrets/ledger' }),
	'no folder for the ledger': () => opening('/nowhere/ledger.sqlite'),
	'a folder for a ledger': () => opening(temporaryFolder()),
	'SQLite: busy': () => sqlite(5),
	'SQLite: read-only': () => sqlite(8),
	'SQLite: I/O error': () => sqlite(10),
	'SQLite: corrupt': () => sqlite(11),
	'SQLite: full': () => sqlite(13),
	'SQLite: cannot open': () => sqlite(14),
	'SQLite: protocol': () => sqlite(15),
	'SQLite: no database': () => sqlite(26),
	'a file as a folder': () => file('ENOTDIR'),
	'no right to the file': () => file('EACCES'),
	'a disk that is read-only': () => file('EROFS'),
	'no space for the file': () => file('ENOSPC'),
	'a disk that fails': () => file('EIO'),
	'a Node without SQLite': () => file('ERR_UNKNOWN_BUILTIN_MODULE'),
	'a network share': () => told(NO_WAL),
	'a ledger that was exchanged': () => told(REPLACED),
	'a newer ledger': () => told(madeByNewer(9, 5)),
	'Postgres: nobody there': () =>
		told(postgresTrouble(Object.assign(new Error('as asked'), { code: 'ECONNREFUSED' }))),
	'Postgres: connection failure': () => postgres('08006'),
	'Postgres: cannot connect now': () => postgres('57P03'),
	'Postgres: too many connections': () => postgres('53300'),
	'Postgres: invalid password': () => postgres('28P01'),
	'Postgres: no database': () => postgres('3D000'),
	'Postgres: no schema': () => postgres('3F000'),
	'Postgres: insufficient privilege': () => postgres('42501'),
	'Postgres: read-only transaction': () => postgres('25006'),
	'Postgres: disk full': () => postgres('53100'),
	'Postgres: out of memory': () => postgres('53200'),
	'Postgres: query cancelled': () => postgres('57014'),
	'Postgres: lock not available': () => postgres('55P03'),
	'Postgres: data corrupted': () => postgres('XX001'),
};
