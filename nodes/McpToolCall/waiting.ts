import type { StoredPark } from '../../src/park/parkedBatch';
import type { Settled } from './settled';

/** n8n looks for due executions once a minute, so a shorter sleep is waited out inside the node (P29). */
const LONGEST_SLEEP_IN_NODE_MS = 65_000;

export function waitsInNode(park: StoredPark, now: Date): boolean {
	if (park.kind !== 'sleep') return false;
	return new Date(park.until).getTime() - now.getTime() < LONGEST_SLEEP_IN_NODE_MS;
}

/** The failure of an item that parks after another one of its run did. */
export function parkSurplus(settled: Extract<Settled, { kind: 'parked' }>): Settled {
	const { park, facts } = settled.parked;
	const asked = park.kind === 'sleep' ? `to sleep until ${park.until}` : `for: ${park.reason}`;
	return {
		kind: 'failed',
		facts,
		failure: {
			code: 'park-surplus',
			disposition: 'landed',
			stage: 'call',
			message: `Only one item of a run can wait, and another one waits already; "${facts.tool}" asked ${asked.slice(0, 300)}`,
			remedy:
				'Send one item at a time into this node, for example with Loop Over Items; the call itself ran and is not repeated.',
		},
	};
}
