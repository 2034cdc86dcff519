import type { Json } from '../../scripts/host/json';

/** A tool given by its name or by an expression, as the editor stores it. */
export const byName = (name: string): Json => ({ __rl: true, mode: 'name', value: name });

/** Parameters of a call with JSON arguments: an object, or the text of the field as it stands. */
export const jsonCall = (tool: string, args: Json | string, options: Json = {}): Json => ({
	operation: 'call',
	tool: byName(tool),
	argumentsMode: 'json',
	argumentsJson: typeof args === 'string' ? args : JSON.stringify(args),
	options,
});

/** Parameters of a call with argument fields; `schema` is what the editor got from the node. */
export const fieldsCall = (
	tool: string,
	value: Json,
	schema: readonly unknown[] = [],
	options: Json = {},
): Json => ({
	operation: 'call',
	tool: byName(tool),
	argumentsMode: 'fields',
	argumentFields: { mappingMode: 'defineBelow', value, matchingColumns: [], schema },
	options,
});
