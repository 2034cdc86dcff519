import { createHash } from 'node:crypto';

import type { Sha256 } from '../../src/policy/pin';

export const sha256: Sha256 = (text) => createHash('sha256').update(text).digest('hex');
