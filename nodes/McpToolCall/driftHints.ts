import type { IExecuteFunctions } from 'n8n-workflow';

import { addWarning } from '../shared/connectionHints';
import type { PreparedItem } from './prepareItem';
import type { Settled } from './settled';

/** Says once beside the output what the items' calls say each: which tools are no longer as they were pinned (G4). */
export function addDriftHints(
	context: IExecuteFunctions,
	prepared: readonly (PreparedItem | Settled)[],
): void {
	const warnings = prepared.flatMap((entry) =>
		'kind' in entry || !entry.checked.ok ? [] : entry.facts.warnings,
	);
	for (const warning of new Set(warnings)) addWarning(context, warning);
}
