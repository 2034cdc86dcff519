import { readFileSync } from 'node:fs';

import type { IExecuteFunctions } from 'n8n-workflow';

import { readVariable, type Surroundings } from '../../src/ledger/environmentVariable';
import { readLedgerSettings, RETENTION_DAYS } from '../../src/ledger/ledgerSettings';
import { resumeUrlOf } from '../../src/n8n/resumeUrl';
import { compareHost, oldestN8n } from '../../src/n8n/supportedHost';
import { parkShown } from '../../src/park/notification';
import { answerable, type ParkedBatch } from '../../src/park/parkedBatch';
import type { WaitFacts } from '../../src/park/waitWarnings';

/** What `waitWarnings` decides by, from the run, the workflow's settings and n8n's environment. */
export function readWaitFacts(context: IExecuteFunctions, batch: ParkedBatch): WaitFacts {
	const from: Surroundings = {
		environment: process.env,
		platform: process.platform,
		workingFolder: process.cwd(),
		readFile: (file) => readFileSync(file, 'utf8'),
	};
	const ledger = readLedgerSettings(from);
	const days = ledger.ok ? ledger.value.retentionDays : RETENTION_DAYS;
	const settings = context.getWorkflowSettings();
	const deadline = deadlineOf(batch);
	return {
		answerable: answerable(batch).length,
		parkedAt: new Date(batch.parked[0]?.parkedAt ?? 0),
		...(deadline === undefined ? {} : { deadline }),
		resumeUrl: resumeUrlOf(context),
		webhookUrlStated: ['N8N_WEBHOOK_URL', 'WEBHOOK_URL'].some((name) => isStated(from, name)),
		manual: context.getMode() === 'manual',
		saves: {
			failed: saves(
				settings.saveDataErrorExecution,
				read(from, 'EXECUTIONS_DATA_SAVE_ON_ERROR') !== 'none',
			),
			manual: saves(
				settings.saveManualExecutions,
				!isFalse(read(from, 'EXECUTIONS_DATA_SAVE_MANUAL_EXECUTIONS')),
			),
		},
		ledgerRetention: { days, shortened: days < RETENTION_DAYS },
		host: compareHost(),
		supported: oldestN8n,
	};
}

/** One limit holds for all items of a run. */
function deadlineOf(batch: ParkedBatch): Date | undefined {
	const [item] = answerable(batch);
	const { deadline } = item === undefined ? {} : parkShown(batch, item);
	return typeof deadline === 'string' ? new Date(deadline) : undefined;
}

/** A workflow's own setting, or n8n's. */
const saves = (setting: unknown, byDefault: boolean): boolean =>
	setting === undefined || setting === 'DEFAULT'
		? byDefault
		: setting === true || setting === 'all';

function read(from: Surroundings, name: string): string | undefined {
	const reading = readVariable(from, name);
	return reading.ok ? reading.value : undefined;
}

const isStated = (from: Surroundings, name: string): boolean => Boolean(read(from, name));

const isFalse = (value: string | undefined): boolean =>
	value !== undefined && ['false', '0'].includes(value.toLowerCase());
