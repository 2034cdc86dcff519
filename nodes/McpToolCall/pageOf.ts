import type { Origin, PageModel } from '../../src/page/pageModel';
import type { ParkedItem } from '../../src/park/parkedBatch';

/** What is known about a parked item when its page is opened. */
export interface PageFacts {
	readonly now: Date;
	readonly workflowName?: string;
	readonly listHref?: string;
	readonly answeredAt?: Date;
	/** Until when an answer is taken (P26), as a UTC instant. */
	readonly deadline?: string;
}

/** The page of one parked item, by its state: it waits, was answered, is out of time, sleeps or woke. */
export function pageOf(parked: ParkedItem, facts: PageFacts): PageModel {
	const { tool, serverName, parkedAt, park, schemaWarning } = parked;
	const { now, workflowName, listHref, answeredAt, deadline } = facts;
	const origin: Origin = {
		tool,
		parkedAt,
		...(serverName === undefined ? {} : { serverName }),
		...(workflowName === undefined ? {} : { workflowName }),
		...(listHref === undefined ? {} : { listHref }),
	};
	if (park.kind === 'sleep') {
		const { until } = park;
		return { kind: new Date(until) <= now ? 'woke' : 'sleep', until, ...origin };
	}
	const { kind, reason, inputSchema: schema } = park;
	if (answeredAt !== undefined) {
		return { kind: 'answered', reason, answeredAt: answeredAt.toISOString(), ...origin };
	}
	if (deadline !== undefined && new Date(deadline) <= now) {
		return { kind: 'expired', reason, deadline, ...origin };
	}
	return {
		kind,
		reason,
		schema,
		...(schemaWarning === undefined ? {} : { schemaWarning }),
		...(deadline === undefined ? {} : { deadline }),
		...origin,
	};
}
