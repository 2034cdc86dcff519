/** What is known about a wait, and about the n8n that is to hold it, before it begins. */
export interface WaitFacts {
	/** How many items wait for a person or a signal. */
	readonly answerable: number;
	readonly parkedAt: Date;
	/** When the last answer can come, if a limit says so. */
	readonly deadline?: Date;
	readonly resumeUrl: string;
	/** The operator gave n8n an address for webhooks, whichever it is. */
	readonly webhookUrlStated: boolean;
	/** Started by hand, from the editor. */
	readonly manual: boolean;
	/** What n8n keeps of an execution that has failed, and of one that was started by hand. */
	readonly saves: { readonly failed: boolean; readonly manual: boolean };
	/** For how long the ledger keeps answers, and whether the operator made that less than it is by default. */
	readonly ledgerRetention: { readonly days: number; readonly shortened: boolean };
	/** n8n's version as far as it is known. */
	readonly host: 'supported' | 'older' | 'unknown';
	/** The oldest n8n that is supported, such as `2.41`. */
	readonly supported: string;
}

export interface WaitWarning {
	/** One sentence that names the setting and the remedy. */
	readonly text: string;
	/** A `warning` stands in the waiting items too; an `info` is for the person at the editor alone. */
	readonly level: 'warning' | 'info';
}

/**
 * What would cost somebody hours during this wait: an address that nobody can open, an answer that is not kept. Settings
 * that lose nothing are not named: n8n keeps a waiting execution whatever its save settings say, and never prunes one.
 */
export function waitWarnings(facts: WaitFacts): readonly WaitWarning[] {
	return [
		...loopback(facts),
		...openAddress(facts),
		...unsaved(facts),
		...retention(facts),
		...olderHost(facts),
	];
}

const WEBHOOK_URL =
	'set N8N_WEBHOOK_URL (WEBHOOK_URL in an older n8n) to the address of n8n, on main and on every worker';

/** Where the person at the editor is also the one who answers, the address may well open. */
function loopback({
	answerable,
	resumeUrl,
	webhookUrlStated,
	manual,
}: WaitFacts): readonly WaitWarning[] {
	if (answerable === 0 || webhookUrlStated) return [];
	const url = URL.parse(resumeUrl);
	if (url === null || !isLoopback(url.hostname)) return [];
	return [
		{
			text: `The address for the answer begins with ${url.origin}, which opens only on the machine of n8n: ${WEBHOOK_URL}.`,
			level: manual ? 'info' : 'warning',
		},
	];
}

/** n8n's own host names and numbers of this machine; a name without a dot may be one that a network knows. */
const isLoopback = (host: string): boolean =>
	/^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\]|\[::ffff:7f[0-9a-f]{2}:[0-9a-f]{1,4}\]|0\.0\.0\.0|\[::\])$/i.test(
		host,
	);

/** Without n8n's token the number of the execution is all that somebody needs. */
function openAddress({ answerable, resumeUrl, supported }: WaitFacts): readonly WaitWarning[] {
	const url = URL.parse(resumeUrl);
	if (answerable === 0 || url === null || url.searchParams.has('signature')) return [];
	return [
		{
			text: `The address for the answer carries no token, so whoever guesses the number of the execution may answer: update n8n to ${supported} or newer.`,
			level: 'warning',
		},
	];
}

/** The answer of a person is in the execution, and cannot be had a second time. */
function unsaved({ answerable, manual, saves }: WaitFacts): readonly WaitWarning[] {
	if (answerable === 0) return [];
	if (manual) {
		return saves.manual
			? []
			: [
					{
						text: 'This execution and its answer are deleted as soon as it ends: switch "Save manual executions" on in the workflow settings, or EXECUTIONS_DATA_SAVE_MANUAL_EXECUTIONS.',
						level: 'info',
					},
				];
	}
	return saves.failed
		? []
		: [
				{
					text: 'If a later node fails, this execution is deleted together with the answer: set "Save failed production executions" in the workflow settings, or EXECUTIONS_DATA_SAVE_ON_ERROR, to save them.',
					level: 'warning',
				},
			];
}

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * What the ledger forgets it learns again from the execution, but for the answers that were given: those of some items
 * while others still wait. A wait without a limit may end any time, so only a
 * retention that the operator shortened is named for it.
 */
function retention({
	answerable,
	parkedAt,
	deadline,
	ledgerRetention: { days, shortened },
}: WaitFacts): readonly WaitWarning[] {
	if (answerable < 2) return [];
	const forgetsAt = parkedAt.getTime() + days * DAY_MS;
	const outlivesIt = deadline === undefined ? shortened : deadline.getTime() > forgetsAt;
	if (!outlivesIt) return [];
	return [
		{
			text: `Several items wait together and their first answers are kept for ${days === 1 ? '1 day' : `${String(days)} days`} only: raise SALVOR_LEDGER_RETENTION_DAYS, or limit the wait to less.`,
			level: 'warning',
		},
	];
}

function olderHost({ host, supported }: WaitFacts): readonly WaitWarning[] {
	if (host !== 'older') return [];
	return [
		{
			text: `This n8n is older than ${supported}, with which waiting is tested, so the wait may not end as it should: update n8n.`,
			level: 'warning',
		},
	];
}
