import { createHash } from 'node:crypto';

import type {
	ClaimKey,
	Claiming,
	NewClaim,
	OperatorDecision,
	StandingClaim,
} from '../call/claimStore';
import { claimOf, decisionOf, encodeDecision, text, type Row } from './claimRow';
import type { ClaimSql } from './claimSql';
import { decodeJson } from './jsonText';
import type { RememberedTools } from './ledger';

/** A statement and its values; the database gives back its rows. */
export interface Statement {
	readonly sql: string;
	readonly values: readonly (string | number | null)[];
}

/** The statements of one transaction, one after the other; the same for both databases. */
export type Steps<T> = Generator<Statement, T, readonly Row[]>;

const FORGOTTEN_AT_ONCE = 200;

/** What is done with claims, as steps on a database. */
export function claimSteps(sql: ClaimSql) {
	const changesOne = function* (statement: string, ...values: Statement['values']): Steps<boolean> {
		return (yield { sql: statement, values }).length === 1;
	};
	const readOne = function* (statement: string, value: string): Steps<StandingClaim | undefined> {
		const [row] = yield { sql: statement, values: [value] };
		return row && claimOf(row);
	};

	return {
		*claim({ claimId, key, argumentsHash, holder, claimedAt }: NewClaim): Steps<Claiming> {
			const digest = digestOf(key);
			const at = claimedAt.toISOString();
			const texts = [JSON.stringify(key), argumentsHash, JSON.stringify(holder)];
			for (;;) {
				const values = [digest, claimId, ...texts, at];
				if ((yield { sql: sql.claim, values }).length === 1) return { kind: 'claimed' };
				const by = yield* readOne(sql.readByKey, digest);
				// Nobody there: its holder has just let it go.
				if (by === undefined) continue;
				const own = by.claimId === claimId && by.state === 'in-flight';
				return own ? { kind: 'claimed' } : { kind: 'taken', by };
			}
		},

		*beat(claimIds: readonly string[], at: Date): Steps<number> {
			let inFlight = 0;
			for (const claimId of claimIds) {
				if (yield* changesOne(sql.beat, claimId, at.toISOString())) inFlight += 1;
			}
			return inFlight;
		},

		settle: (claimId: string, outcome: string, at: Date) =>
			changesOne(sql.settle, claimId, outcome, at.toISOString(), null),

		doubt: (claimId: string, failure: string | null, at: Date) =>
			changesOne(sql.doubt, claimId, failure, at.toISOString()),

		withdraw: (claimId: string) => changesOne(sql.withdraw, claimId),

		resolve: (claimId: string, outcome: string, decision: OperatorDecision) =>
			changesOne(
				sql.resolve,
				claimId,
				outcome,
				decision.at.toISOString(),
				encodeDecision(decision),
			),

		*release(claimId: string, decision: OperatorDecision): Steps<boolean> {
			const [row] = yield { sql: sql.readById, values: [claimId] };
			if (row === undefined || !(yield* changesOne(sql.remove, claimId))) return false;
			const at = decision.at.toISOString();
			const values = [claimId, JSON.stringify(row), encodeDecision(decision), at];
			yield { sql: sql.keepRelease, values };
			return true;
		},

		readClaim: (key: ClaimKey) => readOne(sql.readByKey, digestOf(key)),

		*listClaims(
			states: readonly StandingClaim['state'][],
			limit: number,
		): Steps<readonly StandingClaim[]> {
			const [first, second, third] = states;
			const values = [limit, first ?? null, second ?? null, third ?? null];
			return (yield { sql: sql.list, values }).map(claimOf);
		},

		*listReleases(
			limit: number,
		): Steps<readonly { claim: StandingClaim; releasedBy: OperatorDecision }[]> {
			const rows = yield { sql: sql.listReleases, values: [limit] };
			return rows.map((row) => ({
				// eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- only release() writes it
				claim: claimOf(decodeJson(text(row, 'claim')) as Row),
				releasedBy: decisionOf(text(row, 'decision')),
			}));
		},

		/** Forgets a part of what is old; gives how much, and whether there may be more. */
		*purgeSome(
			before: Date,
			parked: 'keep' | 'forget',
		): Steps<{ readonly forgotten: number; readonly more: boolean }> {
			const values = [before.toISOString(), FORGOTTEN_AT_ONCE];
			const claims = (yield { sql: sql.purgeClaims, values: [...values, parked] }).length;
			const releases = (yield { sql: sql.purgeReleases, values }).length;
			return {
				forgotten: claims + releases,
				more: Math.max(claims, releases) === FORGOTTEN_AT_ONCE,
			};
		},

		*linkItems(
			batchId: string,
			claims: readonly { readonly item: number; readonly claimId: string }[],
		): Steps<void> {
			for (const { item, claimId } of claims) {
				yield { sql: sql.linkItem, values: [batchId, item, claimId] };
			}
		},

		*answer(batchId: string, item: number, answer: string, answeredAt: Date): Steps<void> {
			yield { sql: sql.answer, values: [answer, answeredAt.toISOString(), batchId, item] };
		},

		*rememberTools(serverName: string, tools: string, at: Date): Steps<void> {
			yield { sql: sql.rememberTools, values: [digestOf(serverName), tools, at.toISOString()] };
		},

		*recallTools(serverName: string): Steps<RememberedTools | undefined> {
			const [row] = yield { sql: sql.recallTools, values: [digestOf(serverName)] };
			return (
				row && {
					// eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- only rememberTools() writes it
					tools: decodeJson(text(row, 'tools')) as RememberedTools['tools'],
					at: new Date(text(row, 'remembered_at')),
				}
			);
		},
	};
}

function digestOf(key: ClaimKey | string): string {
	const named = typeof key === 'string' ? key : [key.serverName, key.tool, key.value];
	return createHash('sha256').update(JSON.stringify(named)).digest('hex');
}
