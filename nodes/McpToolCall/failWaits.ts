import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { toFailedWait, toItem } from '../../src/n8n/items';
import { isPlainObject } from '../../src/json/plainObject';
import type { Failure } from '../../src/outcome/failure';
import { readParkedItem } from '../../src/park/readParkedItem';

/**
 * What the items of a run are that cannot wait for them: one with an open park fails and keeps it, as its call was made;
 * all others pass through as they are, unless `otherwise` says what becomes of them.
 */
export const failWaits = (
	context: IExecuteFunctions,
	failure: Failure,
	otherwise = passOn,
): INodeExecutionData[] =>
	context.getInputData().map((item, index) => {
		const { call } = item.json;
		return readParkedItem(item.json) === undefined || !isPlainObject(call)
			? otherwise(item, index)
			: toFailedWait(ofParked(failure), call, index);
	});

const passOn = ({ json, binary }: INodeExecutionData, index: number): INodeExecutionData =>
	toItem(json, index, binary);

const MADE = 'The call was made and is not repeated.';

/** A failure that came before anything was sent, said of a call that a server answered with a park. */
function ofParked(failure: Failure): Failure {
	if (failure.disposition === 'landed') return failure;
	const remedy = failure.remedy === undefined ? MADE : `${failure.remedy} ${MADE}`;
	return { ...failure, disposition: 'landed', remedy };
}
