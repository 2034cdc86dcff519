import { isPlainObject, type PlainObject } from '../json/plainObject';
import { pushAll } from '../json/pushAll';
import { lookUp } from './resolveField';

/** Keywords and names of a whole schema: about what compiles in a twentieth of a second. */
export const MAX_KEYWORDS = 1000;
/** Keywords that one value may meet, with what references bring in again and again. */
export const MAX_UNFOLDED = 10_000;

/**
 * A pattern is as much work as some other keywords. Each repetition that it counts out makes it longer, and each class
 * of Unicode's, such as `\p{L}`, brings in hundreds of ranges.
 */
function patternWeight(pattern: unknown): number {
	if (typeof pattern !== 'string') return 1;
	const counts = [...pattern.matchAll(/\{(?:\d+,)?(\d+),?\}/g)].map(([, most]) => Number(most));
	const repeated = counts.reduce((sum, most) => sum + most, 0);
	const classes = pattern.match(/\\p/gi)?.length ?? 0;
	return 5 + pattern.length / 20 + repeated / 2 + classes * 6;
}

const ADDRESSES = new Set(['$ref', '$dynamicRef', '$recursiveRef', '$id', 'id']);

/** Resolving an address takes its parts apart again and again. */
const addressWeight = (address: unknown): number =>
	typeof address === 'string' ? 1 + address.length / 50 : 1;

function weightOf(keyword: string, value: unknown): number {
	if (keyword === 'pattern') return patternWeight(value);
	return ADDRESSES.has(keyword) ? addressWeight(value) : 1;
}

const PLAIN_DATA = new Set(['enum', 'const', 'default', 'examples']);
const LIBRARIES = new Set(['$defs', 'definitions']);
const DEPENDENT = new Set(['dependentSchemas', 'dependencies']);
const MAPS = new Set(['properties', 'patternProperties', ...LIBRARIES, ...DEPENDENT]);
/** Keywords whose schemas judge the same value, so that a circle of them never ends. */
const IN_PLACE = new Set(['$ref', 'allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else']);

/** What makes a schema more work than anybody should do for it; undefined when nothing does. */
export function overload(schema: PlainObject): string | undefined {
	const nodes = new Map<PlainObject, Node>();
	let keywords = 0;
	for (const left = [schema]; left.length > 0;) {
		const next = left.pop();
		if (next === undefined || nodes.has(next)) continue;
		const node = toNode(schema, next);
		nodes.set(next, node);
		for (const inner of [node.inPlace, node.deeper, node.library]) pushAll(left, inner);
		keywords += node.keywords;
		if (keywords > MAX_KEYWORDS) return `the schema has more than ${MAX_KEYWORDS} keywords`;
	}
	if (hasCircle(nodes)) return 'the schema refers to itself without end';
	return unfolded(schema, nodes) > MAX_UNFOLDED
		? `the references of the schema multiply to more than ${MAX_UNFOLDED} keywords`
		: undefined;
}

/** A schema and where it leads. */
interface Node {
	readonly keywords: number;
	readonly inPlace: readonly PlainObject[];
	readonly deeper: readonly PlainObject[];
	/** Judged only where something refers to it. */
	readonly library: readonly PlainObject[];
}

function toNode(root: PlainObject, schema: PlainObject): Node {
	const inPlace: PlainObject[] = [];
	const deeper: PlainObject[] = [];
	const library: PlainObject[] = [];
	let keywords = 0;
	for (const [keyword, value] of Object.entries(schema)) {
		keywords += weightOf(keyword, value);
		if (PLAIN_DATA.has(keyword)) continue;
		if (MAPS.has(keyword) && isPlainObject(value)) {
			const entries = Object.values(value);
			keywords += entries.length;
			if (keyword === 'patternProperties')
				for (const pattern of Object.keys(value)) keywords += patternWeight(pattern);
			const list = LIBRARIES.has(keyword) ? library : DEPENDENT.has(keyword) ? inPlace : deeper;
			pushAll(list, entries.filter(isPlainObject));
			continue;
		}
		const target = keyword === '$ref' && typeof value === 'string' ? lookUp(root, value) : value;
		const list = IN_PLACE.has(keyword) ? inPlace : deeper;
		pushAll(list, (Array.isArray(target) ? target : [target]).filter(isPlainObject));
	}
	return { keywords, inPlace, deeper, library };
}

function hasCircle(nodes: ReadonlyMap<PlainObject, Node>): boolean {
	const state = new Map<PlainObject, 'open' | 'done'>();
	const visit = (schema: PlainObject): boolean => {
		const seen = state.get(schema);
		if (seen !== undefined) return seen === 'open';
		state.set(schema, 'open');
		if (nodes.get(schema)?.inPlace.some(visit) === true) return true;
		state.set(schema, 'done');
		return false;
	};
	return [...nodes.keys()].some(visit);
}

/** Counts a part as often as it is reached; where it leads back to itself, the value sets the count and not the schema. */
function unfolded(root: PlainObject, nodes: ReadonlyMap<PlainObject, Node>): number {
	const counts = new Map<PlainObject, number>();
	const visit = (schema: PlainObject): number => {
		const counted = counts.get(schema);
		if (counted !== undefined) return counted;
		counts.set(schema, 0);
		const node = nodes.get(schema);
		if (node === undefined) return 0;
		let count = node.keywords;
		for (const next of node.inPlace) count += visit(next);
		for (const next of node.deeper) count += visit(next);
		counts.set(schema, count);
		return count;
	};
	return visit(root);
}
