import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { IExecuteFunctions } from 'n8n-workflow';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { forgetGone } from '../../../nodes/McpToolCall/forgetGone';
import type { Ledger } from '../../../src/ledger/ledger';
import { sharedLedger } from '../../../src/ledger/sharedLedger';
import type { Result } from '../../../src/outcome/failure';

const HOUR_MS = 60 * 60 * 1000;

let folder: string;
let ledger: Ledger;

beforeEach(async () => {
	folder = mkdtempSync(join(tmpdir(), 'salvor-forget-'));
	const file = join(folder, 'ledger.sqlite');
	ledger = valueOf(await sharedLedger({ place: { kind: 'sqlite', file }, retentionDays: 90 }));
});
afterEach(async () => {
	await ledger.close();
	rmSync(folder, { recursive: true, force: true });
});

/** The host's side, as far as it is asked: an n8n that has these executions; asking for `broken` fails there. */
function n8nWith(stored: readonly string[], own = '1000') {
	const asked: string[] = [];
	const logged: string[] = [];
	const context = {
		getInstanceId: () => 'n8n',
		getExecutionId: () => own,
		getExecutionDataById: (id: string) => {
			asked.push(id);
			if (id === 'broken') return Promise.reject(new Error('The database is away.'));
			return Promise.resolve(stored.includes(id) ? {} : undefined);
		},
		logger: { debug: (line: string) => logged.push(line) },
	};
	return { context: context as unknown as IExecuteFunctions, asked, logged };
}

/** Registers a batch for each execution, hours ago. */
async function park(executionIds: readonly string[], instanceId = 'n8n', hours = 2): Promise<void> {
	for (const executionId of executionIds) {
		const at = new Date(Date.now() - hours * HOUR_MS);
		valueOf(
			await ledger.openBatch({
				batchId: `${instanceId} ${executionId}`,
				instanceId,
				executionId,
				workflowId: 'w',
				nodeName: 'n',
				parkedAt: at,
				openedAt: at,
				items: [0],
			}),
		);
	}
}

async function known(): Promise<readonly string[]> {
	const waiting = valueOf(await ledger.listWaiting({ limit: 100 }));
	return waiting.map(({ batchId }) => batchId).toSorted();
}

describe('what the ledger holds for an execution', () => {
	it('is forgotten when n8n has it no more, and kept when n8n has it or cannot tell', async () => {
		await park(['gone', 'stored', 'broken', 'gone too']);
		const { context, asked } = n8nWith(['stored']);
		await forgetGone(context, ledger);
		expect(asked.toSorted()).toEqual(['broken', 'gone', 'gone too', 'stored']);
		expect(await known()).toEqual(['n8n broken', 'n8n stored']);
	});

	it('is not looked for while the execution may not wait yet, nor for the one that just parks', async () => {
		await park(['young'], 'n8n', 0);
		await park(['own']);
		const { context, asked } = n8nWith([], 'own');
		await forgetGone(context, ledger);
		expect(asked).toEqual([]);
		expect(await known()).toEqual(['n8n own', 'n8n young']);
	});

	it('of another n8n is left alone: both count their executions alike', async () => {
		await park(['gone'], 'another');
		await park(['gone']);
		await forgetGone(n8nWith([]).context, ledger);
		expect(await known()).toEqual(['another gone']);
	});

	it('is looked for once a minute, and for twenty executions at most', async () => {
		await forgetGone(n8nWith([]).context, ledger);
		await park(Array.from({ length: 25 }, (_, n) => `gone ${n}`));
		const first = n8nWith([]);
		await forgetGone(first.context, ledger);
		expect(first.asked).toHaveLength(20);
		const second = n8nWith([]);
		await forgetGone(second.context, ledger);
		expect(second.asked).toEqual([]);
		expect(await known()).toHaveLength(5);
	});

	it('stays, and nothing is thrown, when the host or the ledger fails', async () => {
		await park(['gone']);
		const { context, logged } = n8nWith([]);
		const broken = {
			...context,
			getInstanceId: () => {
				throw new Error('no');
			},
		};
		await forgetGone({ logger: context.logger } as unknown as IExecuteFunctions, ledger);
		expect(logged).toHaveLength(1);
		await forgetGone(broken, ledger);
		expect(await known()).toEqual(['n8n gone']);
	});
});

function valueOf<T>(result: Result<T>): T {
	if (result.ok) return result.value;
	throw new Error(JSON.stringify(result.failure));
}
