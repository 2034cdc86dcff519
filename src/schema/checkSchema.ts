import { isPlainObject, own, type PlainObject } from '../json/plainObject';
import { boundedCheck } from './boundedCheck';
import { boundedSchema } from './boundedSchema';
import { describeIssues } from './describeIssues';
import { brokenRules, type Draft, draftOf, freshCompiler, prepareDraft } from './draft';
import { jsonText } from './jsonText';
import { PatternRefused } from './safePattern';
import { overload } from './schemaLoad';
import { standardKeywords } from './standardKeywords';
import { withinTime } from './withinTime';

/** A place in a value and what is wrong there. */
export interface SchemaIssue {
	/** JSON path: `$` for the whole value, `$.note`, `$["odd name"][0]`. */
	readonly path: string;
	/** Reads on from the place's name: "must be a boolean, but a string arrived". */
	readonly message: string;
}

export type CompiledSchema =
	| {
			readonly kind: 'compiled';
			/** Empty when the value fits; at most 20 issues; never throws. */
			readonly check: (value: unknown) => readonly SchemaIssue[];
	  }
	| {
			readonly kind: 'unusable';
			readonly reason: string;
			/** `time` when another try, on a machine less busy, may go otherwise. */
			readonly cause: 'schema' | 'time';
	  };

/** A backstop: the caps keep a compilation far below, so that a busy machine finds the same schemas usable. */
const COMPILE_LIMIT_MS = 250;
/** What takes longer would hold up everything else that n8n does. */
const CHECK_LIMIT_MS = 50;
const MAX_CACHED = 100;

const cache = new Map<string, CompiledSchema>();

/**
 * Makes a checker for a JSON Schema that nobody here controls: drafts 2020-12 (when `$schema` is absent),
 * 2019-09, draft-07 and draft-04, formats included, references inside the schema only.
 * Takes any value; a schema too large, too deep or not valid is `unusable`, with the reason. Never throws.
 */
export function compileSchema(schema: unknown): CompiledSchema {
	const bounded = boundedSchema(schema);
	if (bounded.kind === 'unusable') return unusable(bounded.reason);
	const cached = cache.get(bounded.text);
	if (cached !== undefined) {
		cache.delete(bounded.text);
		cache.set(bounded.text, cached);
		return cached;
	}
	const compiled = compileBounded(bounded.schema);
	if (compiled.kind === 'unusable' && compiled.cause === 'time') return compiled;
	cache.set(bounded.text, compiled);
	const oldest = cache.keys().next();
	if (cache.size > MAX_CACHED && oldest.done !== true) cache.delete(oldest.value);
	return compiled;
}

const unusable = (reason: string, cause: 'schema' | 'time' = 'schema'): CompiledSchema => ({
	kind: 'unusable',
	reason,
	cause,
});

function compileBounded(schema: boolean | PlainObject): CompiledSchema {
	const named = isPlainObject(schema) ? own(schema, '$schema') : undefined;
	const draft = draftOf(named);
	if (draft === undefined) {
		return unusable(`the schema names a draft that is not supported: ${shorten(named)}`);
	}
	const excess = isPlainObject(schema) ? overload(schema) : undefined;
	if (excess !== undefined) return unusable(excess);
	prepareDraft(draft);
	try {
		const timed = withinTime(COMPILE_LIMIT_MS, () => compileWhole(draft, schema));
		return timed.kind === 'done'
			? timed.value
			: unusable('the schema takes too long to compile', 'time');
	} catch (error) {
		return unusable(reasonOf(error));
	}
}

function compileWhole(draft: Draft, schema: boolean | PlainObject): CompiledSchema {
	const broken = brokenRules(draft, isPlainObject(schema) ? withoutDraft(schema) : schema);
	if (broken !== undefined) return unusable(`the schema is not valid: ${broken.slice(0, 300)}`);
	const standard = isPlainObject(schema) ? standardKeywords(withoutDraft(schema)) : schema;
	const validate = freshCompiler(draft).compile(standard);
	const issuesOf = (value: unknown): readonly SchemaIssue[] => {
		try {
			return validate(value) ? [] : describeIssues(validate.errors ?? [], value);
		} finally {
			// They would stay in memory for as long as the schema does.
			validate.errors = null;
		}
	};
	// A schema that refers to itself without going deeper into the value overflows on any value.
	for (const probe of [null, true, 0, '', [], {}]) issuesOf(probe);
	const isQuick = boundedCheck(standard);
	return {
		kind: 'compiled',
		check: (value) => {
			try {
				// To watch the time takes longer than most checks: the engine starts a thread for it.
				if (isQuick(value)) return issuesOf(value);
				const timed = withinTime(CHECK_LIMIT_MS, () => issuesOf(value));
				return timed.kind === 'done' ? timed.value : [whole('takes too long to check')];
			} catch {
				return [whole('is nested too deeply to be checked')];
			}
		},
	};
}

const whole = (message: string): SchemaIssue => ({ path: '$', message });

function withoutDraft(schema: PlainObject): PlainObject {
	const { $schema: _draft, ...rest } = schema;
	return rest;
}

function reasonOf(error: unknown): string {
	if (error instanceof PatternRefused) return error.message;
	if (error instanceof RangeError) return 'the schema refers to itself without end';
	if (error instanceof Error && 'missingRef' in error) {
		return `the schema refers to ${shorten(error.missingRef)}, which is not inside it; other addresses are never loaded`;
	}
	return `the schema does not compile: ${error instanceof Error ? error.message.slice(0, 300) : 'unknown reason'}`;
}

const shorten = (value: unknown) => (jsonText(value) ?? 'nothing').slice(0, 120);
