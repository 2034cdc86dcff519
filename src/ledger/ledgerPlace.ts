/** Where a ledger is kept. */
export type LedgerPlace =
	| { readonly kind: 'sqlite'; readonly file: string }
	| {
			readonly kind: 'postgres';
			/** For messages; holds no password. */
			readonly name: string;
			readonly schema: string;
			readonly connection: PostgresConnection;
	  };

export type PostgresConnection =
	| { readonly connectionString: string }
	| {
			readonly host: string;
			readonly port: number;
			readonly database: string;
			readonly user: string;
			readonly password: string;
			readonly ssl: boolean | PostgresTls;
	  };

export interface PostgresTls {
	readonly ca?: string;
	readonly cert?: string;
	readonly key?: string;
	readonly rejectUnauthorized: boolean;
}

/** The place as messages name it, without password. */
export const nameOf = (place: LedgerPlace): string =>
	place.kind === 'sqlite' ? `sqlite:${place.file}` : place.name;
