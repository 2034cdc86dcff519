import { succeed, type Result } from '../outcome/failure';
import type { Ledger } from './ledger';
import type { LedgerSettings } from './ledgerSettings';
import { openLedger } from './openLedger';

const DAY_MS = 24 * 60 * 60 * 1000;
const MINUTE_MS = 60 * 1000;

/** An open ledger and how many calls are in it. */
interface Handle {
	readonly ledger: Ledger;
	calls: number;
}

/** One entry for each place that this process has used. */
const shared = new Map<string, ReturnType<typeof share>>();

/**
 * The one ledger that this process has for its settings: opened at first use, opened anew after a
 * failure, purged once a day. It gives checks once a minute, as each costs the caller an execution's data. It keeps no process alive and is closed when the process exits.
 */
export function sharedLedger(settings: LedgerSettings): Promise<Result<Ledger>> {
	const key = JSON.stringify(settings);
	let entry = shared.get(key);
	if (!entry) {
		if (shared.size === 0) process.once('exit', closeAll);
		entry = share(settings);
		shared.set(key, entry);
	}
	return entry.ready();
}

function closeAll(): void {
	for (const { ledger } of shared.values()) void ledger.close();
	shared.clear();
}

function share({ place, retentionDays }: LedgerSettings) {
	let opening: Promise<Result<Handle>> | undefined;
	let handle: Handle | undefined;
	/** Take no more calls and are closed after the last one. */
	const dropped = new WeakSet<Handle>();
	let purgedAt = -Infinity;
	let checkedAt = -Infinity;

	const open = (): Promise<Result<Handle>> => {
		opening ??= openLedger({ place }).then((opened) => {
			if (!opened.ok) {
				opening = undefined;
				return opened;
			}
			handle = { ledger: opened.value, calls: 0 };
			return succeed(handle);
		});
		return opening;
	};

	const drop = (failed: Handle): void => {
		if (dropped.has(failed)) return;
		dropped.add(failed);
		handle = undefined;
		opening = undefined;
	};

	const use = async <T>(work: (ledger: Ledger) => Promise<Result<T>>): Promise<Result<T>> => {
		const opened = await open();
		if (!opened.ok) return opened;
		const used = opened.value;
		if (dropped.has(used)) return use(work);
		used.calls += 1;
		const result = await work(used.ledger);
		used.calls -= 1;
		if (!result.ok && result.failure.code === 'ledger-unavailable') drop(used);
		// Not waited for: a connection that hangs would hold up the result.
		if (dropped.has(used) && used.calls === 0) void used.ledger.close();
		return result;
	};

	/** In the background; what goes wrong shows at the next call. */
	const purgeDaily = (): void => {
		const now = Date.now();
		if (now - purgedAt < DAY_MS) return;
		purgedAt = now;
		const before = new Date(Math.max(0, now - retentionDays * DAY_MS));
		void use(async (ledger) => {
			const purged = await ledger.purge({ before });
			return purged.ok ? await ledger.purgeClaims({ before, parked: 'forget' }) : purged;
		});
	};

	const takeChecks: Ledger['takeChecks'] = async (asked) => {
		const now = Date.now();
		if (now - checkedAt < MINUTE_MS) return succeed([]);
		checkedAt = now;
		const checks = await use((opened) => opened.takeChecks(asked));
		if (!checks.ok || checks.value.length === 0) checkedAt = -Infinity;
		return checks;
	};

	const ledger: Ledger = {
		openBatch: (batch) => use((opened) => opened.openBatch(batch)),
		recordAnswer: (answer) => use((opened) => opened.recordAnswer(answer)),
		readAnswers: (batchId) => use((opened) => opened.readAnswers(batchId)),
		closeBatch: (closing) => use((opened) => opened.closeBatch(closing)),
		claimResume: (claim) => use((opened) => opened.claimResume(claim)),
		listWaiting: (asked) => use((opened) => opened.listWaiting(asked)),
		takeChecks,
		claim: (claim) => use((opened) => opened.claim(claim)),
		beat: (claims) => use((opened) => opened.beat(claims)),
		settle: (settling) => use((opened) => opened.settle(settling)),
		doubt: (doubting) => use((opened) => opened.doubt(doubting)),
		withdraw: (claimId) => use((opened) => opened.withdraw(claimId)),
		resolve: (resolving) => use((opened) => opened.resolve(resolving)),
		release: (releasing) => use((opened) => opened.release(releasing)),
		readClaim: (key) => use((opened) => opened.readClaim(key)),
		listClaims: (asked) => use((opened) => opened.listClaims(asked)),
		listReleases: (asked) => use((opened) => opened.listReleases(asked)),
		purgeClaims: (limit) => use((opened) => opened.purgeClaims(limit)),
		rememberTools: (tools) => use((opened) => opened.rememberTools(tools)),
		recallTools: (serverName) => use((opened) => opened.recallTools(serverName)),
		forget: (batchId) => use((opened) => opened.forget(batchId)),
		purge: (limit) => use((opened) => opened.purge(limit)),
		close: async () => {
			const closing = handle;
			if (!closing) return;
			drop(closing);
			if (closing.calls === 0) await closing.ledger.close();
		},
	};

	return {
		ledger,
		ready: async (): Promise<Result<Ledger>> => {
			const opened = await open();
			if (!opened.ok) return opened;
			purgeDaily();
			return succeed(ledger);
		},
	};
}
