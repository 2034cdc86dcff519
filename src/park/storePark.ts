import type { Park } from './decodePark';
import type { StoredPark } from './parkedBatch';

/** A park as it is stored: instants as UTC texts (P12). */
export const storePark = (park: Park): StoredPark =>
	park.kind === 'sleep' ? { kind: 'sleep', until: park.until.toISOString() } : park;
