import type { IExecuteFunctions } from 'n8n-workflow';

import type { AttemptRecord, Retrying } from '../../src/call/attempts';
import type { Result } from '../../src/outcome/failure';
import { openByCredential } from '../shared/openByCredential';
import { openConnection, type OpenedConnection } from '../shared/openConnection';
import { pooledOpener } from '../shared/pooledOpener';
import { openInAttempts } from './openInAttempts';
import type { RunPresets } from './presetAnswers';

/** What came of opening the connection of an item; items with the same credential share it. */
export interface ItemConnection {
	readonly opened: Result<OpenedConnection>;
	readonly record: AttemptRecord;
}

export interface ItemOpening {
	readonly retrying: Omit<Retrying, 'maxDurationMs'>;
	readonly presets: RunPresets;
	readonly signal: AbortSignal | undefined;
}

/** Opens what the items' credentials name, each in attempts, and gives each item its own. */
export async function openItemConnections(
	context: IExecuteFunctions,
	count: number,
	{ retrying, presets, signal }: ItemOpening,
): Promise<readonly ItemConnection[]> {
	// A pin says what the tool is now, so it is compared with what the server says now (G4).
	const opener = pooledOpener(context, pinsTool(context) ? 'anew' : 'recent');
	return await openByCredential(context, count, async (credential) => {
		if (!credential.ok) return { opened: credential, record: { attempts: 0 } };
		const { persist, record } = openInAttempts(retrying, signal);
		const opened = await openConnection(credential.value, {
			opener,
			persist,
			presetAnswers: presets.answers,
			signal,
		});
		return { opened, record: record() };
	});
}

const pinsTool = (context: IExecuteFunctions): boolean =>
	context.getNodeParameter('options.pinnedFingerprint', 0, '', { rawExpressions: true }) !== '';
