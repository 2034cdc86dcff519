import { join, resolve } from 'node:path';
import { succeed, type Result } from '../outcome/failure';
import { readVariable, type Surroundings } from './environmentVariable';
import type { LedgerPlace } from './ledgerPlace';
import { readN8nPostgres } from './n8nPostgres';
import { readPostgresUrl } from './postgresUrl';
import { misconfigured } from './unavailable';

export interface LedgerSettings {
	readonly place: LedgerPlace;
	/** A batch is forgotten when it was parked, and last answered, longer ago. */
	readonly retentionDays: number;
}

const FILE = 'salvor-ledger.sqlite';
/** How long a batch is kept unless SALVOR_LEDGER_RETENTION_DAYS says otherwise. */
export const RETENTION_DAYS = 90;

/**
 * Where the ledger is (K12): what SALVOR_LEDGER says, else the Postgres that n8n runs on, else a
 * SQLite file in n8n's folder. Refuses what it cannot read, naming the variable.
 */
export function readLedgerSettings(from: Surroundings): Result<LedgerSettings> {
	const place = readPlace(from);
	if (!place.ok) return place;
	const retention = readRetention(from);
	if (!retention.ok) return retention;
	return succeed({ place: place.value, retentionDays: retention.value });
}

function readPlace(from: Surroundings): Result<LedgerPlace> {
	const stated = readVariable(from, 'SALVOR_LEDGER');
	if (!stated.ok) return stated;
	if (stated.value) return readStated(stated.value, from);
	const type = readVariable(from, 'DB_TYPE');
	if (!type.ok) return type;
	if (type.value === 'postgresdb') return readN8nPostgres(from);
	return succeed({ kind: 'sqlite', file: join(n8nFolder(from), FILE) });
}

/** A relative file lies in n8n's folder, so that every process means the same one. */
function readStated(stated: string, from: Surroundings): Result<LedgerPlace> {
	const file = /^sqlite:(.+)$/s.exec(stated)?.[1];
	if (file !== undefined && !file.includes(':memory:') && !file.includes('\0')) {
		return succeed({ kind: 'sqlite', file: resolve(n8nFolder(from), file) });
	}
	const place = /^postgres(ql)?:\/\//.test(stated) ? readPostgresUrl(stated) : undefined;
	if (place) return succeed(place);
	return misconfigured(
		'SALVOR_LEDGER names neither a file nor a database',
		'Set SALVOR_LEDGER to sqlite:<file> or postgres://<user>:<password>@<host>:<port>/<database> (user and password percent-encoded), or leave it out.',
	);
}

function readRetention(from: Surroundings): Result<number> {
	const stated = readVariable(from, 'SALVOR_LEDGER_RETENTION_DAYS');
	if (!stated.ok) return stated;
	if (!stated.value) return succeed(RETENTION_DAYS);
	const days = Number(stated.value);
	if (/^\d+$/.test(stated.value) && days >= 1) return succeed(days);
	return misconfigured(
		'SALVOR_LEDGER_RETENTION_DAYS is not a whole number of days, 1 or more',
		`Set SALVOR_LEDGER_RETENTION_DAYS to a number such as ${RETENTION_DAYS}, or leave it out.`,
	);
}

function n8nFolder({ environment, platform, workingFolder }: Surroundings): string {
	const home = environment[platform === 'win32' ? 'USERPROFILE' : 'HOME'];
	return resolve(workingFolder, environment['N8N_USER_FOLDER'] ?? home ?? workingFolder, '.n8n');
}
