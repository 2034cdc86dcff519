import { DEEPEST_VALUE, isDeeperThan } from '../json/isDeeperThan';
import type { Park } from './decodePark';
import type { StoredPark } from './parkedBatch';

/**
 * A park as it is stored: instants as UTC texts (P12). A schema that is too deep to store cannot be used as a check
 * either, and no reason to lose the run: any answer is accepted in its place.
 */
export function storePark(park: Park): StoredPark {
	if (park.kind === 'sleep') return { kind: 'sleep', until: park.until.toISOString() };
	return isDeeperThan(park.inputSchema, DEEPEST_VALUE) ? { ...park, inputSchema: true } : park;
}
