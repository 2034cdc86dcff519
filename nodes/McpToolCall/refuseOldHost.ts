import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { failsNode } from '../../src/n8n/agentTool';
import { toFailedItem, toNodeError } from '../../src/n8n/items';
import { batchToSettle } from '../../src/n8n/secondRun';
import { missingFunctions, tooOld } from '../../src/n8n/supportedHost';
import { failWaits } from './failWaits';
import { failBeforeCall } from './withoutCall';

/** Refuses a run that this n8n could not park, before anything is called; undefined where it can. */
export function refuseOldHost(context: IExecuteFunctions): INodeExecutionData[][] | undefined {
	const missing = missingFunctions(context);
	if (missing.length === 0) return undefined;
	const failure = tooOld(missing);
	const stops = missing.includes('isToolExecution')
		? !context.continueOnFail()
		: failsNode(context);
	if (stops) {
		throw toNodeError(context.getNode(), failure, { describe: ({ remedy }) => remedy ?? '' });
	}
	const waited = !missing.includes('getExecuteData') && batchToSettle(context) !== undefined;
	if (waited || context.getNodeParameter('operation', 0) === 'await') {
		return [failWaits(context, failure)];
	}
	return [
		failWaits(context, failure, (_, item) =>
			toFailedItem(failure, failBeforeCall(context, item, failure).facts, item),
		),
	];
}
