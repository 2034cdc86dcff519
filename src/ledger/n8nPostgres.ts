import { succeed, type Failure, type Result } from '../outcome/failure';
import { readVariable, type Surroundings } from './environmentVariable';
import type { LedgerPlace, PostgresTls } from './ledgerPlace';

const PREFIX = 'DB_POSTGRESDB_';
const NAMES = [
	'HOST',
	'PORT',
	'DATABASE',
	'USER',
	'PASSWORD',
	'SCHEMA',
	'SSL_ENABLED',
	'SSL_CA',
	'SSL_CERT',
	'SSL_KEY',
	'SSL_REJECT_UNAUTHORIZED',
] as const;

/** The Postgres that n8n itself uses, with n8n's defaults for what is not set. */
export function readN8nPostgres(from: Surroundings): Result<LedgerPlace> {
	const values = new Map<string, string>();
	let failure: Failure | undefined;
	for (const name of NAMES) {
		const value = readVariable(from, `${PREFIX}${name}`);
		if (!value.ok) failure ??= value.failure;
		else if (value.value !== undefined) values.set(name, value.value);
	}
	if (failure) return { ok: false, failure };

	const get = (name: (typeof NAMES)[number], otherwise: string): string =>
		values.get(name) ?? otherwise;
	const host = get('HOST', 'localhost');
	const port = toPort(get('PORT', ''));
	const database = get('DATABASE', 'n8n');
	const user = get('USER', 'postgres');
	const schema = get('SCHEMA', 'public') || 'public';
	return succeed({
		kind: 'postgres',
		name: `postgres://${user}@${host}:${port}/${database} (schema ${schema})`,
		schema,
		connection: { host, port, database, user, password: get('PASSWORD', ''), ssl: tlsOf(get) },
	});
}

/** As n8n does: any certificate setting switches TLS on, whatever SSL_ENABLED says. */
function tlsOf(
	get: (name: (typeof NAMES)[number], otherwise: string) => string,
): boolean | PostgresTls {
	const [ca, cert, key] = [get('SSL_CA', ''), get('SSL_CERT', ''), get('SSL_KEY', '')];
	const rejectUnauthorized = toBoolean(get('SSL_REJECT_UNAUTHORIZED', ''), true);
	if (ca === '' && cert === '' && key === '' && rejectUnauthorized) {
		return toBoolean(get('SSL_ENABLED', ''), false);
	}
	return {
		...(ca === '' ? {} : { ca }),
		...(cert === '' ? {} : { cert }),
		...(key === '' ? {} : { key }),
		rejectUnauthorized,
	};
}

function toBoolean(text: string, otherwise: boolean): boolean {
	const lower = text.toLowerCase();
	if (lower === 'true' || lower === '1') return true;
	return lower === 'false' || lower === '0' ? false : otherwise;
}

function toPort(text: string): number {
	const port = Number(text);
	return text === '' || Number.isNaN(port) ? 5432 : port;
}
