import type { IExecuteFunctions } from 'n8n-workflow';

import { baseRecord, callRecord, type CallFacts } from '../../src/call/callRecord';
import type { CallOutcome } from '../../src/call/callOutcome';
import type { ToolResult } from '../../src/call/session';
import { simpleOutput } from '../../src/call/simpleOutput';
import { extractBinary } from '../../src/n8n/binary';
import type { StoredPark } from '../../src/park/parkedBatch';
import { storePark } from '../../src/park/storePark';
import { compileSchema } from '../../src/schema/checkSchema';
import { unusableSchema } from './carriedPark';
import type { ItemOptions } from './prepareItem';
import type { Settled } from './settled';

/** Turns what came of a call into what the item becomes. Never rejects. */
export async function settleOutcome(
	context: IExecuteFunctions,
	outcome: CallOutcome,
	options: ItemOptions,
	at: { readonly now: Date; readonly parkId: string | undefined },
): Promise<Settled> {
	switch (outcome.kind) {
		case 'completed':
			return await settleResult(context, outcome.result, outcome.facts, options);
		case 'failed':
			return outcome.result !== undefined &&
				outcome.failure.code === 'tool-error' &&
				options.toolErrors === 'data'
				? await settleResult(context, outcome.result, outcome.facts, options)
				: { kind: 'failed', failure: outcome.failure, facts: outcome.facts };
		case 'parked':
			return settlePark(outcome, storePark(outcome.park), at);
		case 'parked-before': {
			const { answer, park, parkedAt } = outcome;
			if (answer === undefined) return settlePark(outcome, park, at);
			const call = {
				...callRecord(outcome.facts, 'deduplicated'),
				park: { ...park, parkedAt, answeredAt: answer.answeredAt.toISOString() },
			};
			return { kind: 'completed', json: { output: answer.value, call } };
		}
	}
}

function settlePark(
	outcome: Extract<CallOutcome, { readonly kind: 'parked' | 'parked-before' }>,
	stored: StoredPark,
	at: { readonly now: Date; readonly parkId: string | undefined },
): Settled {
	const { park, claimId, facts } = outcome;
	const schema = park.kind === 'sleep' ? undefined : compileSchema(park.inputSchema);
	const schemaWarning = schema?.kind === 'unusable' ? unusableSchema(schema.reason) : undefined;
	const warnings = schemaWarning === undefined ? [] : [schemaWarning];
	return {
		kind: 'parked',
		parked: {
			park: stored,
			parkedAt: at.now.toISOString(),
			...(at.parkId === undefined ? {} : { parkId: at.parkId }),
			...(claimId === undefined ? {} : { claimId }),
			call: baseRecord({ ...facts, warnings: [...facts.warnings, ...warnings] }),
			...(schemaWarning === undefined ? {} : { schemaWarning }),
		},
	};
}

async function settleResult(
	context: IExecuteFunctions,
	result: ToolResult,
	facts: CallFacts,
	options: ItemOptions,
): Promise<Settled> {
	const copied = facts.deduplicatedFrom !== undefined;
	const call = callRecord(facts, copied ? 'deduplicated' : 'completed');
	if (options.output === 'fullResult') {
		return { kind: 'completed', json: { output: result, call } };
	}
	try {
		const extracted = options.binary ? await extractBinary(context, result) : { result };
		const { binary } = extracted;
		return {
			kind: 'completed',
			json: { output: simpleOutput(extracted.result), call },
			...(binary === undefined ? {} : { binary }),
		};
	} catch (error) {
		const problem = error instanceof Error ? error.message : String(error);
		return {
			kind: 'failed',
			facts,
			failure: {
				code: 'result-unreadable',
				disposition: 'landed',
				stage: 'call',
				message: `The result of "${facts.tool}" could not be stored as binary data: ${problem}`,
				remedy: "Check n8n's binary data storage, or switch the option Binary off.",
			},
		};
	}
}
