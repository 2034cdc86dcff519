import { DatabaseError } from 'pg';
import type { Trouble } from './unavailable';

const TRY_AGAIN = 'Check that the database runs and that n8n reaches it, then try again.';

/** SQLSTATE codes, by what an operator can do about them. */
const BY_CODE: Readonly<Record<string, Trouble>> = {
	'25006': {
		problem: 'cannot be written: the database takes no changes',
		remedy: 'Set SALVOR_LEDGER to the primary of the database, not to a read-only copy.',
	},
	'3D000': {
		problem: 'cannot be opened: there is no such database',
		remedy: 'Create the database, or correct its name in SALVOR_LEDGER.',
	},
	'3F000': {
		problem: 'cannot be opened: there is no such schema',
		remedy: 'Create the schema, or correct its name in SALVOR_LEDGER or DB_POSTGRESDB_SCHEMA.',
	},
	'42501': {
		problem: "cannot be used: the database's user lacks the right",
		remedy:
			'Let the user create tables in the schema and change those that begin with salvor_, or set SALVOR_LEDGER to another place.',
	},
	'53100': {
		problem: 'cannot be written: the disk of the database is full',
		remedy: 'Free space on the disk of the database.',
	},
	'53300': {
		problem: 'cannot be reached: the database has no connection left',
		remedy: 'Raise max_connections of the database, or end what holds its connections.',
	},
	'55P03': {
		problem: 'did not answer in time: another process holds it',
		remedy: 'Try again; if it lasts, look for an open transaction in the database.',
	},
	'57014': {
		problem: 'did not answer in time',
		remedy: 'Try again; if it lasts, look for a lock or for load in the database.',
	},
};

/** The first two letters of a SQLSTATE name its class. */
const BY_CLASS: Readonly<Record<string, Trouble>> = {
	'08': { problem: 'cannot be reached: the connection failed', remedy: TRY_AGAIN },
	'28': {
		problem: 'cannot be opened: the database refused the user or the password',
		remedy: 'Correct the user and the password in SALVOR_LEDGER or in DB_POSTGRESDB_*.',
	},
	'53': {
		problem: 'does not work: the database lacks memory, disk or connections',
		remedy: 'Give the database more of them, then try again.',
	},
	'57': { problem: 'cannot be reached: the database is starting or stopping', remedy: TRY_AGAIN },
	XX: {
		problem: 'is damaged, says the database',
		remedy: 'Look into the log of the database; restore it from a backup if need be.',
	},
};

/** True for an error that says nothing on whether the last statement took effect. */
export function isConnectionLoss(error: unknown): boolean {
	const state = sqlState(error);
	return state === undefined || state.startsWith('08') || state.startsWith('57P');
}

/** What an error of the client or of the database means, read from its code. */
export function postgresTrouble(error: unknown): Trouble {
	const state = sqlState(error);
	if (state !== undefined) {
		const known = BY_CODE[state] ?? BY_CLASS[state.slice(0, 2)];
		return (
			known ?? {
				problem: `does not work (SQLSTATE ${state})`,
				remedy: 'Look into the log of the database.',
			}
		);
	}
	const code =
		error instanceof Error && 'code' in error && typeof error.code === 'string'
			? ` (${error.code})`
			: '';
	return {
		problem: `cannot be reached${code}`,
		remedy:
			'Check the address in SALVOR_LEDGER or DB_POSTGRESDB_*, that the database runs and that its certificate is trusted.',
	};
}

const sqlState = (error: unknown): string | undefined =>
	error instanceof DatabaseError ? error.code : undefined;
