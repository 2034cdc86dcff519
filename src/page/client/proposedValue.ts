import { isPlainObject } from '../../json/plainObject';
import type { FormNode } from './formNode';

const MAX_DEPTH = 12;
const MAX_ROWS = 20;

/** The value that a form begins with: defaults, and the parts that must be there. Optional parts are left out. */
export function proposedValue(node: FormNode, root: FormNode, depth = 0): unknown {
	if (node.proposal !== undefined && !isPlainObject(node.proposal)) return node.proposal;
	if (depth > MAX_DEPTH) return undefined;
	const followed = follow(node, root);
	if (followed.proposal !== undefined && !isPlainObject(followed.proposal))
		return followed.proposal;
	const alternative = (followed.oneOf ?? followed.anyOf)?.[0];
	const fromUnion = alternative && proposedValue(alternative, root, depth + 1);
	if (followed.type === 'array') return proposedRows(followed, root, depth);
	if (followed.type !== 'object') return followed.proposal ?? fromUnion;
	const parts = Object.entries(followed.properties ?? {}).flatMap(([name, property]) => {
		if (property.optional === true && property.proposal === undefined) return [];
		const value = proposedValue(property, root, depth + 1);
		return value === undefined ? [] : [[name, value] as const];
	});
	return {
		...Object.fromEntries(parts),
		...(isPlainObject(fromUnion) ? fromUnion : {}),
		...(isPlainObject(followed.proposal) ? followed.proposal : {}),
	};
}

/** The node behind a reference, with what stands beside the reference. */
export function follow(node: FormNode, root: FormNode): FormNode {
	if (node.$ref === undefined) return node;
	const { $ref, ...beside } = node;
	const target = root.$defs?.[$ref.slice('#/$defs/'.length)] ?? {};
	return { ...target, ...beside };
}

function proposedRows(node: FormNode, root: FormNode, depth: number): unknown {
	const { items, minItems = 0 } = node;
	if (items !== undefined && isList(items)) {
		return items.map((entry) => proposedValue(entry, root, depth + 1));
	}
	if (items === undefined || isList(items)) return [];
	return Array.from({ length: Math.min(minItems, MAX_ROWS) }, () =>
		proposedValue(items, root, depth + 1),
	);
}

const isList = (items: FormNode | readonly FormNode[]): items is readonly FormNode[] =>
	Array.isArray(items);
