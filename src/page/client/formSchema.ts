import { isPlainObject, own, type PlainObject } from '../../json/plainObject';
import { flatten } from './flatSchema';
import type { FormNode, Leaf, Option } from './formNode';
import { inWords } from './inWords';
import { impliedType, leafOf, optionsOf } from './leafOf';
import { type NameTable, nameTable } from './nameTable';

const MAX_DEPTH = 40;
const MAX_ROWS = 20;
const ANNOTATIONS = new Set([
	'title',
	'description',
	'default',
	'$comment',
	'examples',
	'deprecated',
]);
const PART_KEYWORDS = [
	'properties',
	'type',
	'$ref',
	'enum',
	'const',
	'items',
	'oneOf',
	'anyOf',
	'allOf',
];

/** A form over a schema: what the form library is given, and the ways back to the server's names and schemas. */
export interface FormSchema {
	readonly schema: FormNode;
	readonly names: NameTable;
	/** The server's schemas that values are tested against, by the number in `test`. */
	readonly tests: readonly unknown[];
}

/** Turns any JSON Schema into a form. What a form cannot express becomes a field for JSON; never throws for valid JSON. */
export function toFormSchema(root: unknown): FormSchema {
	const names = nameTable();
	const tests: unknown[] = [];
	const definitions = new Map<string, { readonly name: string; node: FormNode }>();

	const json = (base: FormNode, expects: 'object' | 'array' | 'any' = 'any'): FormNode => ({
		...base,
		type: 'string',
		leaf: { kind: 'json', expects },
	});

	const test = (schema: unknown): FormNode => ({ type: 'object', test: tests.push(schema) - 1 });

	function toNode(raw: unknown, depth: number, isRequired: boolean, title?: string): FormNode {
		const flat = depth > MAX_DEPTH ? undefined : flatten(root, raw);
		if (flat === undefined) return json(title === undefined ? {} : { title });
		const { schema, nullable } = flat;
		const base = baseOf(schema, nullable, title, ownTitle(raw));
		const leaf = leafOf(schema, isRequired) ?? severalOf(schema);
		if (leaf !== undefined) return leafNode(base, leaf);
		const reference = isPlainObject(raw) ? own(raw, '$ref') : undefined;
		const optional = isRequired && !nullable ? {} : { optional: true as const };
		if (typeof reference !== 'string') return { ...partsOf(schema, base, depth), ...optional };
		const known = definitions.get(reference);
		if (known !== undefined) return { ...base, ...optional, $ref: `#/$defs/${known.name}` };
		const made = { name: `d${String(definitions.size)}`, node: {} };
		definitions.set(reference, made);
		made.node = partsOf(schema, {}, depth);
		return { ...base, ...optional, $ref: `#/$defs/${made.name}` };
	}

	function baseOf(
		schema: PlainObject,
		nullable: boolean,
		fallback: string | undefined,
		titled: string | undefined,
	): FormNode {
		const inherited = own(schema, 'title');
		const title = titled ?? fallback ?? inherited;
		const description = own(schema, 'description');
		const shown = typeof title === 'string' && title.trim() !== '' ? title : fallback;
		return {
			...(shown === undefined ? {} : { title: shown }),
			...(typeof description === 'string' && description !== '' ? { description } : {}),
			...(Object.hasOwn(schema, 'default') ? { proposal: names.encode(schema['default']) } : {}),
			...(nullable ? { nullable: true as const } : {}),
		};
	}

	function leafNode(base: FormNode, leaf: Leaf): FormNode {
		const encoded = encodeLeaf(leaf, names);
		const proposal = encoded.kind === 'fixed' ? { proposal: encoded.value } : {};
		return { ...base, ...proposal, type: 'string', leaf: encoded };
	}

	/** Any number of listed values. */
	function severalOf(schema: PlainObject): Leaf | undefined {
		if (own(schema, 'uniqueItems') !== true) return undefined;
		const entries = flatten(root, own(schema, 'items'));
		const options = entries && !entries.nullable ? optionsOf(entries.schema) : undefined;
		return options && { kind: 'choices', options };
	}

	function partsOf(schema: PlainObject, base: FormNode, depth: number): FormNode {
		const type = own(schema, 'type') ?? impliedType(schema);
		const union = unionOf(schema, depth);
		if (Array.isArray(type) && union === undefined) {
			const anyOf = type.map((name: unknown) => ({
				...test({ ...schema, type: name }),
				...toNode({ ...schema, type: name, title: kindName(name) }, depth + 1, true),
			}));
			return { ...base, anyOf };
		}
		if (type === 'object') {
			const node = objectNode(schema, base, depth);
			if (node.leaf !== undefined && union !== undefined) return { ...base, ...union };
			return { ...node, ...union };
		}
		if (union !== undefined) return { ...base, ...union };
		if (type === 'array') return arrayNode(schema, base, depth);
		return json(base);
	}

	/** Alternatives that differ in what is entered; those that only demand something are left to the check. */
	function unionOf(schema: PlainObject, depth: number): FormNode | undefined {
		const keyword = Array.isArray(own(schema, 'oneOf')) ? 'oneOf' : 'anyOf';
		const members = own(schema, keyword);
		if (!Array.isArray(members) || members.length > 100) return undefined;
		const hasParts = (member: unknown) =>
			isPlainObject(member) && PART_KEYWORDS.some((key) => Object.hasOwn(member, key));
		if (!members.some(hasParts)) return undefined;
		const outer = own(schema, 'type');
		const nodes = members
			.filter((member) => member !== false)
			.map((member: unknown, index) => {
				const typed =
					typeof outer === 'string' && isPlainObject(member) && impliedType(member) === undefined
						? { type: outer, ...member }
						: member;
				const flat = flatten(root, member)?.schema ?? {};
				const { optional: _, ...node } = toNode(typed, depth + 1, true);
				return {
					...node,
					title: node.title ?? alternativeName(flat, index),
					test: test(member).test ?? 0,
				};
			});
		return { [keyword]: nodes };
	}

	function objectNode(schema: PlainObject, base: FormNode, depth: number): FormNode {
		const listed = own(schema, 'required');
		const wanted = Array.isArray(listed) ? listed.filter((name) => typeof name === 'string') : [];
		const given = own(schema, 'properties');
		const entries = new Map(Object.entries(isPlainObject(given) ? given : {}));
		for (const name of wanted) if (!entries.has(name)) entries.set(name, true);
		const shown = [...entries].filter(([, property]) => property !== false);
		const additional = additionalOf(schema, depth);
		const isOpen = own(schema, 'additionalProperties') !== false;
		const conditions = conditionsOf(schema, depth, new Set(entries.keys()));
		const hasForm =
			shown.length > 0 || additional !== undefined || Object.keys(conditions).length > 0;
		if (!hasForm && isOpen) return json(base, 'object');
		const isWanted = new Set(wanted);
		return {
			...base,
			type: 'object',
			properties: Object.fromEntries(
				shown.map(([name, property]) => [
					names.alias(name),
					toNode(property, depth + 1, isWanted.has(name), inWords(name)),
				]),
			),
			required: wanted.map(names.alias),
			...(additional === undefined ? {} : { additionalProperties: additional }),
			...conditions,
		};
	}

	/** Properties under names that the reader chooses. */
	function additionalOf(schema: PlainObject, depth: number): FormNode | undefined {
		const additional = own(schema, 'additionalProperties');
		const patterns = own(schema, 'patternProperties');
		const [pattern] = isPlainObject(patterns) ? Object.values(patterns) : [];
		const wanted = isPlainObject(additional) ? additional : pattern;
		if (wanted === undefined || wanted === false) {
			const named = own(schema, 'properties');
			return additional === true && !isPlainObject(named) ? json({}) : undefined;
		}
		return toNode(wanted, depth + 1, true);
	}

	function conditionsOf(schema: PlainObject, depth: number, known: ReadonlySet<string>): FormNode {
		const part = (raw: unknown): FormNode | undefined => {
			const flat = flatten(root, raw)?.schema;
			if (flat === undefined) return undefined;
			const node = objectNode(
				{
					type: 'object',
					additionalProperties: false,
					...flat,
					properties: newProperties(flat, known),
				},
				{},
				depth + 1,
			);
			const { additionalProperties: _, leaf: __, ...rest } = node;
			return { ...rest, type: 'object' };
		};
		const conditionOf = (raw: PlainObject): FormNode => {
			const then = Object.hasOwn(raw, 'then') ? part(own(raw, 'then')) : undefined;
			const otherwise = Object.hasOwn(raw, 'else') ? part(own(raw, 'else')) : undefined;
			return {
				if: test(own(raw, 'if')),
				...(then === undefined ? {} : { then }),
				...(otherwise === undefined ? {} : { else: otherwise }),
			};
		};
		const all = own(schema, 'allOf');
		const conditions = Array.isArray(all) ? all.filter(isPlainObject).map(conditionOf) : [];
		const dependencies = Object.fromEntries(
			['dependentRequired', 'dependencies', 'dependentSchemas'].flatMap((keyword) => {
				const given = own(schema, keyword);
				return Object.entries(isPlainObject(given) ? given : {}).flatMap(([name, needs]) => {
					const node = Array.isArray(needs)
						? needs.filter((need) => typeof need === 'string').map(names.alias)
						: part(needs);
					return node === undefined ? [] : [[names.alias(name), node] as const];
				});
			}),
		);
		return {
			...(Object.hasOwn(schema, 'if') ? conditionOf(schema) : {}),
			...(conditions.length === 0 ? {} : { allOf: conditions }),
			...(Object.keys(dependencies).length === 0 ? {} : { dependencies }),
		};
	}

	function arrayNode(schema: PlainObject, base: FormNode, depth: number): FormNode {
		const listed = own(schema, 'items');
		const prefix = own(schema, 'prefixItems') ?? (Array.isArray(listed) ? listed : undefined);
		const rest =
			own(schema, 'prefixItems') === undefined && Array.isArray(listed)
				? own(schema, 'additionalItems')
				: listed;
		const minItems = own(schema, 'minItems');
		const maxItems = own(schema, 'maxItems');
		const limits = {
			...(typeof minItems === 'number' ? { minItems } : {}),
			...(typeof maxItems === 'number' ? { maxItems } : {}),
		};
		if (Array.isArray(prefix) && prefix.length > 0 && prefix.length <= MAX_ROWS) {
			return {
				...base,
				...limits,
				type: 'array',
				items: prefix.map((entry) => toNode(entry, depth + 1, true)),
				additionalItems:
					rest === false ? false : { ...toNode(rest ?? true, depth + 1, true), numbered: true },
			};
		}
		if (rest === undefined || rest === true || rest === false) return json(base, 'array');
		const items = { ...toNode(rest, depth + 1, true), numbered: true as const };
		return { ...base, ...limits, type: 'array', items };
	}

	const node = toNode(root, 0, true);
	const $defs = Object.fromEntries([...definitions.values()].map((made) => [made.name, made.node]));
	return { schema: { ...node, $defs }, names, tests };
}

/** The title in the schema itself: one that is shared by reference does not tell two properties apart. */
function ownTitle(raw: unknown): string | undefined {
	const title = isPlainObject(raw) ? own(raw, 'title') : undefined;
	return typeof title === 'string' && title.trim() !== '' ? title : undefined;
}

/** The properties that a condition adds or says anew; a refinement of a known one is left to the check. */
function newProperties(schema: PlainObject, known: ReadonlySet<string>): PlainObject {
	const properties = own(schema, 'properties');
	const tellsAnew = (property: unknown) =>
		isPlainObject(property) && PART_KEYWORDS.some((key) => Object.hasOwn(property, key));
	return Object.fromEntries(
		Object.entries(isPlainObject(properties) ? properties : {}).filter(
			([name, property]) => !known.has(name) || tellsAnew(property),
		),
	);
}

function encodeLeaf(leaf: Leaf, names: NameTable): Leaf {
	switch (leaf.kind) {
		case 'fixed':
			return { kind: 'fixed', value: names.encode(leaf.value) };
		case 'choice':
		case 'choices':
			return {
				kind: leaf.kind,
				options: leaf.options.map((it): Option => ({ ...it, value: names.encode(it.value) })),
			};
		default:
			return leaf;
	}
}

const KIND_NAMES: Readonly<Record<string, string>> = {
	string: 'Text',
	number: 'Number',
	integer: 'Whole number',
	boolean: 'Yes or no',
	object: 'Object',
	array: 'List',
	null: 'None (null)',
};

const kindName = (type: unknown): string =>
	typeof type === 'string' && Object.hasOwn(KIND_NAMES, type)
		? (KIND_NAMES[type] ?? type)
		: 'Other';

function alternativeName(schema: PlainObject, index: number): string {
	const type = own(schema, 'type');
	if (typeof type === 'string' && type !== 'object' && type !== 'array') return kindName(type);
	const properties = own(schema, 'properties');
	for (const property of Object.values(isPlainObject(properties) ? properties : {})) {
		const fixed = isPlainObject(property) ? own(property, 'const') : undefined;
		if (typeof fixed === 'string') return inWords(fixed);
	}
	const keys = Object.keys(schema).filter((key) => !ANNOTATIONS.has(key));
	return keys.length === 0 ? 'Anything' : `Option ${String(index + 1)}`;
}
