import { isDeepStrictEqual } from 'node:util';
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { validateFieldType } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { mapperField } from '../../../nodes/McpToolCall/mapperField';
import type { Json } from '../../../scripts/host/json';
import { compileSchema } from '../../../src/schema/checkSchema';
import { fieldsToArguments } from '../../../src/schema/fieldsToArguments';
import { toFormModel } from '../../../src/schema/toFormModel';
import { entryFor, entryOf, untouched } from '../../support/fillFields';
import { type Extent, fittingValues } from '../../support/fittingValue';
import { realTools } from '../../support/realTools';

const sources = [...new Set(realTools.map(({ source }) => source))];

/** Judges by the server's own schema, with ajv as it is sold. */
function judge(schema: unknown): (value: unknown) => readonly string[] {
	const isOld = String((schema as Json).$schema).includes('draft-07');
	const ajv = new (isOld ? Ajv : Ajv2020)({ strict: false, logger: false, allErrors: true });
	addFormats(ajv);
	const check = ajv.compile(schema as Json);
	return (value) =>
		check(value)
			? []
			: (check.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message ?? ''}`);
}

interface Form {
	readonly tool: string;
	readonly schema: Json;
	readonly model: ReturnType<typeof toFormModel>;
	readonly fields: readonly ReturnType<typeof fieldOf>[];
	readonly judge: (value: unknown) => readonly string[];
}

function formsOf(source: string): readonly Form[] {
	return realTools
		.filter((tool) => tool.source === source)
		.map(({ name, listed }) => {
			const schema = listed.inputSchema as Json;
			const model = toFormModel(schema);
			const fields = model.kind === 'fields' ? model.fields.map(fieldOf) : [];
			return { tool: name, schema, model, fields, judge: judge(schema) };
		});
}

const fieldOf = (field: Parameters<typeof mapperField>[0]) => ({
	field,
	shown: mapperField(field),
});

/** Fills a form, some fields with entries and the others with what `others` gives. */
const fill = (
	{ fields, schema }: Form,
	extent: Extent,
	others: (shown: ReturnType<typeof mapperField>) => unknown,
): Json =>
	Object.fromEntries(
		fields.map(({ field, shown }) => [
			field.name,
			extent === 'all' || field.required ? entryFor(field, shown, schema, extent) : others(shown),
		]),
	);

it('are 761 tools of 43 packages', () => {
	expect([realTools.length, sources.length]).toEqual([761, 43]);
});

describe.each(sources)(
	'the tools of %s: what their fields send is what their schemas mean (C13)',
	(source) => {
		const forms = formsOf(source);

		/** What each form's arguments break of the tool's own schema. */
		const brokenBy = (valuesOf: (form: Form) => Json): readonly unknown[] =>
			forms.flatMap((form) => {
				const args = fieldsToArguments(form.model, valuesOf(form));
				const broken = form.judge(args);
				return broken.length === 0 ? [] : [{ tool: form.tool, args, broken }];
			});

		it('all have fields, and a schema that can be checked', () => {
			// The schemas of this one server are empty.
			const isEmpty = source.startsWith('@modelcontextprotocol/server-gitlab@');
			const kinds = new Set(forms.map(({ model }) => model.kind));
			expect([...kinds]).toEqual([isEmpty ? 'json' : 'fields']);
			const unusable = forms.flatMap(({ tool, schema }) => {
				const compiled = compileSchema(schema);
				return compiled.kind === 'unusable' && compiled.cause === 'schema'
					? [`${tool}: ${compiled.reason}`]
					: [];
			});
			expect(unusable).toEqual([]);
		});

		it('every field filled in', () => {
			expect(brokenBy((form) => fill(form, 'all', () => null))).toEqual([]);
			for (const form of forms) {
				const args = fieldsToArguments(
					form.model,
					fill(form, 'all', () => null),
				);
				expect(Object.keys(args)).toEqual(form.fields.map(({ field }) => field.name));
			}
		});

		it.each([null, ''])(
			'the required ones filled in, the others left %j: they are left out',
			(empty) => {
				expect(brokenBy((form) => fill(form, 'required', () => empty))).toEqual([]);
				for (const form of forms) {
					const args = fieldsToArguments(
						form.model,
						fill(form, 'required', () => empty),
					);
					expect(Object.keys(args)).toEqual(form.schema.required ?? []);
				}
			},
		);

		it('the required ones filled in, the others as the editor shows them at first: defaults are sent, and nothing else', () => {
			expect(brokenBy((form) => fill(form, 'required', untouched))).toEqual([]);
			for (const form of forms) {
				const args = fieldsToArguments(form.model, fill(form, 'required', untouched));
				const extra = Object.keys(args).filter(
					(name) => !((form.schema.required ?? []) as readonly string[]).includes(name),
				);
				for (const name of extra) {
					const property = ((form.schema.properties ?? {}) as Json)[name] as Json;
					expect({ tool: form.tool, name, sent: args[name] }).toEqual({
						tool: form.tool,
						name,
						sent: property.default,
					});
				}
			}
		});

		it('every choice that a field offers', () => {
			const broken = forms.flatMap((form) =>
				form.fields.flatMap(({ field, shown }) =>
					(shown.options ?? []).flatMap(({ value }) => {
						const values = { ...fill(form, 'required', () => null), [field.name]: value };
						const found = form.judge(fieldsToArguments(form.model, values));
						return found.length === 0 ? [] : [{ tool: form.tool, name: field.name, value, found }];
					}),
				),
			);
			expect(broken).toEqual([]);
		});

		it('every alternative that a schema offers can be entered, and is sent as it is', () => {
			const astray = forms.flatMap(({ tool, schema, model, fields }) =>
				fields.flatMap(({ field, shown }) => {
					const property = ((schema.properties ?? {}) as Json)[field.name];
					return fittingValues(schema, property).flatMap((value) => {
						const way = entryOf(field, shown, value);
						const sent =
							way === 'no way'
								? way
								: fieldsToArguments(model, { [field.name]: way.entry })[field.name];
						return isDeepStrictEqual(sent, value) ? [] : [{ tool, name: field.name, value, sent }];
					});
				}),
			);
			expect(astray).toEqual([]);
		});

		it("n8n's own check of a field finds nothing wrong with what goes into it", () => {
			const faults = forms.flatMap((form) =>
				form.fields.flatMap(({ field, shown }) => {
					const entry = entryFor(field, shown, form.schema, 'all');
					const { type = 'string', options = [] } = shown;
					const { valid } = validateFieldType(field.name, entry, type, {
						valueOptions: [...options],
					});
					return valid ? [] : [{ tool: form.tool, name: field.name, entry }];
				}),
			);
			expect(faults).toEqual([]);
		});
	},
);
