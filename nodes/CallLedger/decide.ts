import type { IExecuteFunctions } from 'n8n-workflow';

import type { ClaimKey, StandingClaim } from '../../src/call/claimStore';
import { describeArrived } from '../../src/json/describeArrived';
import { isPlainObject, type PlainObject } from '../../src/json/plainObject';
import { readJson } from '../../src/n8n/readJson';
import type { Ledger } from '../../src/ledger/ledger';
import { fail, type Result, succeed } from '../../src/outcome/failure';
import { claimEntry } from './claimEntry';
import { doubtAbandoned } from './doubtAbandoned';
import { readKey } from './readKey';
import { readText } from './readText';
import { refuse } from './refuse';
import { releaseEntry } from './releaseEntry';

/** What an operator decides about a call in doubt, with who, when and why (K9). Gives the call as it stands then. */
export async function decide(
	context: IExecuteFunctions,
	ledger: Ledger,
	item: number,
	operation: 'resolve' | 'release',
): Promise<Result<readonly PlainObject[]>> {
	const asked = readKey(context, item);
	if (!asked.ok) return asked;
	const key = asked.value;
	const texts = readText(context, item, { decidedBy: 'Decided By', reason: 'Reason' });
	if (!texts.ok) return texts;
	const { decidedBy, reason } = texts.value;
	const output = operation === 'resolve' ? readOutput(context, item) : succeed({});
	if (!output.ok) return output;
	const now = new Date();
	const abandoned = await doubtAbandoned(ledger, now);
	if (!abandoned.ok) return abandoned;
	const found = await ledger.readClaim(key);
	if (!found.ok) return found;
	const claim = found.value;
	if (claim?.state !== 'in-doubt') return notInDoubt(key, claim);
	const { claimId } = claim;
	const decision = { who: decidedBy, at: now, why: reason };
	const result = { content: [], structuredContent: output.value };
	const decided =
		operation === 'resolve'
			? await ledger.resolve({ claimId, output: result, decision })
			: await ledger.release({ claimId, decision });
	if (!decided.ok) return decided;
	// Somebody else decided in the meantime.
	if (!decided.value) return notInDoubt(key, undefined);
	const after = operation === 'resolve' ? await ledger.readClaim(key) : succeed(undefined);
	if (!after.ok) return fail({ ...after.failure, disposition: 'landed' });
	const entry =
		after.value === undefined
			? releaseEntry(claim, decision)
			: { decision: { ...decision, at: now.toISOString() }, ...claimEntry(after.value) };
	return succeed([{ operation, ...entry }]);
}

function readOutput(context: IExecuteFunctions, item: number): Result<PlainObject> {
	const remedy = 'Give what the call gave, such as { "status": "paid" }.';
	const given: unknown = context.getNodeParameter('output', item, '');
	// An empty result is a decision too, and not one to come to by leaving a field alone.
	if (typeof given === 'string' && given.trim() === '') {
		return refuse('Output is empty', `${remedy} For a call that gave nothing write {}.`);
	}
	const read = readJson(given, 'Output', remedy);
	if (!read.ok) return read;
	return isPlainObject(read.value)
		? succeed(read.value)
		: refuse(`Output must be a JSON object, but ${describeArrived(read.value)} arrived`, remedy);
}

function notInDoubt(key: ClaimKey, claim: StandingClaim | undefined): ReturnType<typeof fail> {
	const named = `The call of "${key.tool}" with the key "${key.value}" at "${key.serverName}"`;
	if (claim === undefined) {
		return refuse(
			`${named} is not in the ledger, so there is nothing to decide`,
			'List the calls in doubt and take server, tool and key from there; upper and lower case count.',
		);
	}
	return refuse(
		claim.state === 'settled'
			? `${named} is settled, so there is nothing to decide`
			: `${named} is under way in execution ${claim.holder.executionId}, so nobody can decide yet`,
		claim.state === 'settled'
			? 'Later calls with this key copy what it gave.'
			: 'Wait until it ends; a call whose execution was lost can be decided a minute later.',
	);
}
