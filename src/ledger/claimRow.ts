import type {
	ClaimKey,
	Holder,
	OperatorDecision,
	RecordedOutcome,
	StandingClaim,
} from '../call/claimStore';
import type { Failure } from '../outcome/failure';
import { decodeJson } from './jsonText';

/** A row of either database; all of a claim's columns are texts. */
export type Row = Readonly<Record<string, unknown>>;

/** A row of salvor_claim as the claim that it keeps. */
export function claimOf(row: Row): StandingClaim {
	const standing = {
		claimId: text(row, 'claim_id'),
		key: json<ClaimKey>(row, 'claim_key'),
		argumentsHash: text(row, 'arguments_hash'),
		holder: json<Holder>(row, 'holder'),
		claimedAt: instant(row, 'claimed_at'),
		changedAt: instant(row, 'changed_at'),
	};
	const state = text(row, 'state');
	switch (state) {
		case 'in-flight':
			return { ...standing, state };
		case 'in-doubt':
			return {
				...standing,
				state,
				...(has(row, 'failure') ? { failure: json<Failure>(row, 'failure') } : {}),
			};
		case 'settled':
			return {
				...standing,
				state,
				outcome: json<RecordedOutcome>(row, 'outcome'),
				...(has(row, 'answer')
					? { answer: { value: json(row, 'answer'), answeredAt: instant(row, 'answered_at') } }
					: {}),
				...(has(row, 'decision') ? { resolvedBy: decisionOf(text(row, 'decision')) } : {}),
			};
		default:
			throw new TypeError(`A claim has the state ${state}`);
	}
}

export const encodeDecision = ({ who, at, why }: OperatorDecision): string =>
	JSON.stringify({ who, at: at.toISOString(), why });

export function decisionOf(stored: string): OperatorDecision {
	// eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- only encodeDecision writes it
	const { who, at, why } = decodeJson(stored) as Readonly<Record<'who' | 'at' | 'why', string>>;
	return { who, at: new Date(at), why };
}

export function text(row: Row, column: string): string {
	const value = row[column];
	if (typeof value !== 'string') throw new TypeError(`${column} is not a text`);
	return value;
}

const has = (row: Row, column: string): boolean => row[column] !== null;
const instant = (row: Row, column: string): Date => new Date(text(row, column));

// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- names what the column holds
function json<T>(row: Row, column: string): T {
	// eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- only claimSteps writes it
	return decodeJson(text(row, column)) as T;
}
