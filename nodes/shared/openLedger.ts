import { readFileSync } from 'node:fs';

import type { Ledger } from '../../src/ledger/ledger';
import { readLedgerSettings } from '../../src/ledger/ledgerSettings';
import { sharedLedger } from '../../src/ledger/sharedLedger';
import type { Result } from '../../src/outcome/failure';

/** The ledger that this n8n keeps answers in, by its environment (K12). */
export async function openLedger(): Promise<Result<Ledger>> {
	const settings = readLedgerSettings({
		environment: process.env,
		platform: process.platform,
		workingFolder: process.cwd(),
		readFile: (file) => readFileSync(file, 'utf8'),
	});
	return settings.ok ? await sharedLedger(settings.value) : settings;
}
