import type { INodeExecutionData } from 'n8n-workflow';

import { readParkedItem } from '../../src/park/readParkedItem';
import { compileSchema } from '../../src/schema/checkSchema';
import type { Settled } from './settled';

/** An input item that came out of this kind of node with its park open: awaited, never called again (P27). */
export function carriedPark(item: INodeExecutionData | undefined): Settled | undefined {
	if (item === undefined) return undefined;
	const carried = readParkedItem(item.json);
	if (carried === undefined) return undefined;
	const { park } = carried;
	const schema = park.kind === 'sleep' ? undefined : compileSchema(park.inputSchema);
	return {
		kind: 'parked',
		parked: {
			...carried,
			carried: true,
			...(item.binary === undefined ? {} : { binary: item.binary }),
			...(schema?.kind === 'unusable' ? { schemaWarning: unusableSchema(schema.reason) } : {}),
		},
	};
}

/** The warning on an item whose answers cannot be checked. */
export const unusableSchema = (reason: string): string =>
	`Any answer is accepted, because the tool's input_schema cannot be used: ${reason}`;
