import type { PlainObject } from '../json/plainObject';
import type { StoredPark } from './parkedBatch';

/** An item's JSON while it waits: outcome `suspended` or `sleeping`, and the park; the resume URL only while n8n waits for it. */
export function waitingItem(waiting: {
	/** The item's `call` without park and outcome. */
	readonly call: PlainObject;
	readonly park: StoredPark;
	/** UTC instant. */
	readonly parkedAt: string;
	readonly parkId?: string;
	/** The claim of the keyed call that parked: a later Await hands it the answer (K6). */
	readonly claimId?: string;
	readonly resumeUrl?: string;
	/** Until when an answer is taken, as a UTC instant. */
	readonly deadline?: string;
	/** What else stands in the item. */
	readonly beside?: PlainObject;
}): PlainObject {
	const { call, park, parkedAt, parkId, claimId, resumeUrl, deadline, beside } = waiting;
	return {
		...beside,
		output: null,
		call: {
			...call,
			outcome: park.kind === 'sleep' ? 'sleeping' : 'suspended',
			park: {
				...park,
				parkedAt,
				...(parkId === undefined ? {} : { id: parkId }),
				...(claimId === undefined ? {} : { claimId }),
				...(deadline === undefined ? {} : { deadline }),
				...(resumeUrl === undefined ? {} : { resumeUrl }),
			},
		},
	};
}
