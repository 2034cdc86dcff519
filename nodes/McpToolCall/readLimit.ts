import type { IExecuteFunctions } from 'n8n-workflow';

import { toNodeError } from '../../src/n8n/items';
import { readWaitLimit, type WaitLimit } from '../../src/park/waitLimit';

/** The option Limit Wait, read once for the whole run (P26). Throws when its value is of no use: nothing was called then. */
export function readLimit(context: IExecuteFunctions): WaitLimit | undefined {
	const option: unknown = context.getNodeParameter('options.limitWait', 0, null);
	const limit = readWaitLimit(option, new Date());
	if (!limit.ok) throw toNodeError(context.getNode(), limit.failure);
	return limit.value;
}
