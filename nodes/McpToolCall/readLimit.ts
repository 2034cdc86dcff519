import type { IExecuteFunctions } from 'n8n-workflow';

import type { Result } from '../../src/outcome/failure';
import { readWaitLimit, type WaitLimit } from '../../src/park/waitLimit';

/** The option Limit Wait, read once for the whole run (P26). */
export function readLimit(context: IExecuteFunctions): Result<WaitLimit | undefined> {
	const option: unknown = context.getNodeParameter('options.limitWait', 0, null);
	return readWaitLimit(option, new Date());
}
