import { type CompiledSchema, compileSchema, type SchemaIssue } from './checkSchema';

/**
 * A check for the calls of one run: each schema is looked up once, by its identity, as to find it by its text takes longer
 * than most checks. A schema that is not usable accepts every value. The schemas given to it must not change.
 */
export function rememberingCheck(): (schema: unknown, value: unknown) => readonly SchemaIssue[] {
	const known = new Map<unknown, CompiledSchema>();
	return (schema, value) => {
		const compiled = known.get(schema) ?? compileSchema(schema);
		known.set(schema, compiled);
		return compiled.kind === 'compiled' ? compiled.check(value) : [];
	};
}
