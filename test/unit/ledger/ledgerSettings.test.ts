import { describe, expect, it } from 'vitest';
import type { LedgerPlace } from '../../../src/ledger/ledgerPlace';
import { nameOf } from '../../../src/ledger/ledgerPlace';
import { readLedgerSettings } from '../../../src/ledger/ledgerSettings';

const SECRET = 'correct-horse';

describe('where the ledger is (K12)', () => {
	it('is a SQLite file in n8n’s folder when nothing is set', () => {
		expect(place({ HOME: '/home/ada' })).toEqual({
			kind: 'sqlite',
			file: '/home/ada/.n8n/salvor-ledger.sqlite',
		});
	});

	it.each([
		[{ N8N_USER_FOLDER: '/data', HOME: '/home/ada' }, '/data/.n8n/salvor-ledger.sqlite'],
		[{ N8N_USER_FOLDER: 'here' }, '/srv/here/.n8n/salvor-ledger.sqlite'],
		[{}, '/srv/.n8n/salvor-ledger.sqlite'],
		[{ HOME: '/home/ada', SALVOR_LEDGER: '' }, '/home/ada/.n8n/salvor-ledger.sqlite'],
		[{ HOME: '/home/ada', DB_TYPE: 'sqlite' }, '/home/ada/.n8n/salvor-ledger.sqlite'],
		[{ HOME: '/home/ada', SALVOR_LEDGER: 'sqlite:/data/l.sqlite' }, '/data/l.sqlite'],
		[{ HOME: '/home/ada', SALVOR_LEDGER: 'sqlite:///data/l.sqlite' }, '/data/l.sqlite'],
		[{ HOME: '/home/ada', SALVOR_LEDGER: 'sqlite:l.sqlite' }, '/home/ada/.n8n/l.sqlite'],
		[{ HOME: '/home/ada', SALVOR_LEDGER: '"sqlite:/data/l.sqlite"\n' }, '/data/l.sqlite'],
		[
			{ HOME: '/home/ada', SALVOR_LEDGER: 'sqlite:/data/l.sqlite', DB_TYPE: 'postgresdb' },
			'/data/l.sqlite',
		],
	])('%j is the file %s', (environment, file) => {
		expect(place(environment)).toEqual({ kind: 'sqlite', file });
	});

	it('is in USERPROFILE on Windows', () => {
		const reading = readLedgerSettings({
			...from({ USERPROFILE: '/users/ada', HOME: '/other' }),
			platform: 'win32',
		});
		expect(reading).toMatchObject({
			value: { place: { file: '/users/ada/.n8n/salvor-ledger.sqlite' } },
		});
	});

	it('is the Postgres that n8n runs on, with n8n’s defaults', () => {
		expect(place({ DB_TYPE: 'postgresdb' })).toEqual({
			kind: 'postgres',
			name: 'postgres://postgres@localhost:5432/n8n (schema public)',
			schema: 'public',
			connection: {
				host: 'localhost',
				port: 5432,
				database: 'n8n',
				user: 'postgres',
				password: '',
				ssl: false,
			},
		});
	});

	it('reads every part of n8n’s Postgres, from files too', () => {
		const found = place(
			{
				DB_TYPE: 'postgresdb',
				DB_POSTGRESDB_HOST: 'db',
				DB_POSTGRESDB_PORT: '5433',
				DB_POSTGRESDB_DATABASE: 'flows',
				DB_POSTGRESDB_USER: 'ada',
				DB_POSTGRESDB_PASSWORD_FILE: '/run/secrets/password',
				DB_POSTGRESDB_SCHEMA: 'engine',
				DB_POSTGRESDB_SSL_CA_FILE: '/run/secrets/ca',
				DB_POSTGRESDB_SSL_REJECT_UNAUTHORIZED: 'FALSE',
			},
			{ '/run/secrets/password': `${SECRET}\n`, '/run/secrets/ca': 'a certificate' },
		);
		expect(found).toEqual({
			kind: 'postgres',
			name: 'postgres://ada@db:5433/flows (schema engine)',
			schema: 'engine',
			connection: {
				host: 'db',
				port: 5433,
				database: 'flows',
				user: 'ada',
				password: SECRET,
				ssl: { ca: 'a certificate', rejectUnauthorized: false },
			},
		});
	});

	it.each([
		[{}, false],
		[{ DB_POSTGRESDB_SSL_ENABLED: 'true' }, true],
		[{ DB_POSTGRESDB_SSL_ENABLED: '1' }, true],
		[{ DB_POSTGRESDB_SSL_ENABLED: 'yes' }, false],
		[
			{ DB_POSTGRESDB_SSL_CERT: 'c', DB_POSTGRESDB_SSL_KEY: 'k' },
			{ cert: 'c', key: 'k' },
		],
		[{ DB_POSTGRESDB_SSL_REJECT_UNAUTHORIZED: '0' }, { rejectUnauthorized: false }],
	])('%j gives the TLS settings %j', (environment, ssl) => {
		const found = place({ DB_TYPE: 'postgresdb', ...environment });
		expect(found).toMatchObject({ connection: { ssl } });
	});

	it('lets a variable beat its file, and a port that is no number be the default', () => {
		const environment = {
			DB_TYPE: 'postgresdb',
			DB_POSTGRESDB_HOST: 'db',
			DB_POSTGRESDB_HOST_FILE: '/absent',
			DB_POSTGRESDB_PORT: 'none',
		};
		expect(place(environment)).toMatchObject({ connection: { host: 'db', port: 5432 } });
	});

	it.each([
		[`postgres://ada:${SECRET}@db:5433/flows`, 'postgres://ada@db:5433/flows', 'public'],
		[`postgresql://ada:${SECRET}@db/flows`, 'postgres://ada@db/flows', 'public'],
		[`postgres://db/flows?password=${SECRET}&schema=engine`, 'postgres://db/flows', 'engine'],
		['postgres:///flows?host=/run/postgresql', 'postgres:///flows', 'public'],
	])('reads %s, and names it without password (I9)', (address, name, schema) => {
		const found = place({ SALVOR_LEDGER: address });
		expect(found).toMatchObject({ kind: 'postgres', schema });
		expect(nameOf(found)).toBe(name);
		expect(JSON.stringify(found)).not.toContain('schema=');
	});

	it('reads SALVOR_LEDGER from the file that SALVOR_LEDGER_FILE names', () => {
		const files = { '/run/secrets/ledger': `postgres://ada:${SECRET}@db/flows\n` };
		expect(place({ SALVOR_LEDGER_FILE: '/run/secrets/ledger' }, files)).toMatchObject({
			name: 'postgres://ada@db/flows',
			connection: { connectionString: `postgres://ada:${SECRET}@db/flows` },
		});
	});

	it.each([
		'ledger.sqlite',
		'sqlite:',
		'sqlite::memory:',
		'mysql://db/flows',
		'postgres:db',
		`postgres://ada:${SECRET}#x@db/flows`,
		`postgres://ada:12/${SECRET}@db/flows`,
		`postgres://ada:12#${SECRET}@db/flows`,
		`postgres://ada:1@2/${SECRET}@db/flows`,
	])('refuses %s, naming the variable and both forms, without the value (I9)', (address) => {
		const failure = refusal({ SALVOR_LEDGER: address });
		expect(failure.message).toContain('SALVOR_LEDGER');
		expect(failure.remedy).toContain('sqlite:<file>');
		expect(failure.remedy).toContain('postgres://');
		expect(JSON.stringify(failure)).not.toContain(SECRET);
		expect(JSON.stringify(failure)).not.toContain(':12');
	});

	it('refuses a file variable that names no readable file', () => {
		const failure = refusal({ DB_TYPE: 'postgresdb', DB_POSTGRESDB_PASSWORD_FILE: '/absent' });
		expect(failure.message).toContain('DB_POSTGRESDB_PASSWORD_FILE names /absent');
	});
});

describe('how long answers are kept', () => {
	it.each([
		[undefined, 90],
		['', 90],
		['1', 1],
		[' 365 ', 365],
	])('SALVOR_LEDGER_RETENTION_DAYS %j is %i days', (days, expected) => {
		const reading = readLedgerSettings(from({ SALVOR_LEDGER_RETENTION_DAYS: days }));
		expect(reading).toMatchObject({ ok: true, value: { retentionDays: expected } });
	});

	it.each(['0', '-1', '1.5', '1e3', 'ninety', '0x10', 'Infinity'])('refuses %s', (days) => {
		const failure = refusal({ SALVOR_LEDGER_RETENTION_DAYS: days });
		expect(failure.message).toContain('SALVOR_LEDGER_RETENTION_DAYS');
	});
});

function from(
	environment: Readonly<Record<string, string | undefined>>,
	files: Readonly<Record<string, string>> = {},
) {
	const readFile = (path: string): string => {
		const text = files[path];
		if (text === undefined) throw new Error('ENOENT');
		return text;
	};
	return { environment, platform: 'linux', workingFolder: '/srv', readFile } as const;
}

function place(
	environment: Readonly<Record<string, string>>,
	files: Readonly<Record<string, string>> = {},
): LedgerPlace {
	const reading = readLedgerSettings(from(environment, files));
	if (!reading.ok) throw new Error(reading.failure.message);
	return reading.value.place;
}

function refusal(environment: Readonly<Record<string, string>>) {
	const reading = readLedgerSettings(from(environment));
	if (reading.ok) throw new Error('The settings were accepted.');
	expect(reading.failure).toMatchObject({
		code: 'ledger-unavailable',
		disposition: 'did-not-happen',
	});
	return reading.failure;
}
