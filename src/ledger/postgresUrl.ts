import type { LedgerPlace } from './ledgerPlace';

/**
 * A Postgres address as a place. `?schema=` names the schema (`public` when left out); every other
 * parameter is the client's (`sslmode`, `sslrootcert` …). Undefined for text that is no address
 * or whose password is not percent-encoded.
 */
export function readPostgresUrl(text: string): LedgerPlace | undefined {
	if (!URL.canParse(text)) return undefined;
	const url = new URL(text);
	// A password with one of /?#@ in it that is not percent-encoded: a part of it stands elsewhere.
	if (/[@#]/.test(`${url.pathname}${url.search}${url.hash}`)) return undefined;
	const schema = url.searchParams.get('schema') ?? '';
	url.searchParams.delete('schema');
	const user = url.username === '' ? '' : `${url.username}@`;
	return {
		kind: 'postgres',
		name: `postgres://${user}${url.host}${url.pathname}`,
		schema: schema === '' ? 'public' : schema,
		connection: { connectionString: url.href },
	};
}
