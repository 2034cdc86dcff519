import type { Result } from '../outcome/failure';
import type { Ledger } from './ledger';
import type { LedgerSettings } from './ledgerSettings';
import { openPostgresLedger } from './postgresLedger';
import { openSqliteLedger } from './sqliteLedger';

/**
 * Opens a ledger, made or migrated as need be (K12). Refuses, as `ledger-unavailable`, a place that
 * cannot be read and written, a damaged one and one that a newer version made.
 */
export function openLedger({ place }: Pick<LedgerSettings, 'place'>): Promise<Result<Ledger>> {
	return place.kind === 'sqlite' ? openSqliteLedger(place.file) : openPostgresLedger(place);
}
