import { Ajv } from 'ajv';
import { Ajv2019 } from 'ajv/dist/2019';
import { Ajv2020 } from 'ajv/dist/2020';
import type AjvCore from 'ajv/dist/core';
import type { Options } from 'ajv/dist/core';
import AjvDraft04 from 'ajv-draft-04';
import addFormats from 'ajv-formats';
import { useLinearKeywords } from './linearKeywords';
import { safePattern } from './safePattern';

export type Draft = '2020-12' | '2019-09' | 'draft-07' | 'draft-04';

const DRAFTS: Readonly<Record<string, Draft>> = {
	'json-schema.org/draft/2020-12/schema': '2020-12',
	'json-schema.org/draft/2019-09/schema': '2019-09',
	'json-schema.org/draft-07/schema': 'draft-07',
	// Draft-06 is draft-07 without its additions.
	'json-schema.org/draft-06/schema': 'draft-07',
	'json-schema.org/draft-04/schema': 'draft-04',
};

/** The draft that `$schema` names, 2020-12 when it names none; undefined for one that is not supported. */
export function draftOf($schema: unknown): Draft | undefined {
	if ($schema === undefined) return '2020-12';
	if (typeof $schema !== 'string') return undefined;
	const address = $schema.replace(/^https?:\/\//, '').replace(/#$/, '');
	return Object.hasOwn(DRAFTS, address) ? DRAFTS[address] : undefined;
}

/** A compiler that knows no schema yet: one per schema, so that an `$id` is never seen by another. */
export function freshCompiler(draft: Draft): AjvCore {
	const compiler = create(draft, {
		// Code that runs once is not worth polishing, and a part that many refer to is compiled once.
		code: { regExp: safePattern, optimize: false },
		inlineRefs: false,
		messages: false,
		meta: false,
	});
	addFormats(compiler);
	return compiler;
}

/** Compiles what every schema of a draft needs, once, so that no schema's time goes into it. */
export function prepareDraft(draft: Draft): void {
	if (metaCompilers.has(draft)) return;
	brokenRules(draft, SAMPLE);
	freshCompiler(draft).compile(SAMPLE)({ text: 'x', list: [1] });
}

const SAMPLE = {
	type: 'object',
	properties: {
		text: { type: 'string', minLength: 1, pattern: '^[a-z]+$', format: 'email' },
		list: { type: 'array', items: { anyOf: [{ type: 'integer', minimum: 0 }, { enum: ['a'] }] } },
	},
	required: ['text'],
	additionalProperties: false,
};

const metaCompilers = new Map<Draft, AjvCore>();

/** What a schema breaks of its draft's own rules, as text; undefined when it breaks none. */
export function brokenRules(draft: Draft, schema: boolean | object): string | undefined {
	let compiler = metaCompilers.get(draft);
	if (compiler === undefined) {
		compiler = create(draft, { validateFormats: false });
		metaCompilers.set(draft, compiler);
	}
	if (compiler.validateSchema(schema) === true) return undefined;
	return compiler.errorsText(compiler.errors?.slice(0, 3), { dataVar: 'schema' });
}

function create(draft: Draft, options: Options): AjvCore {
	const compiler = construct(draft, {
		allErrors: true,
		strict: false,
		ownProperties: true,
		logger: false,
		validateSchema: false,
		...options,
	});
	// ajv refuses the other generation's keyword instead of ignoring it.
	compiler.removeKeyword(draft === 'draft-04' ? '$id' : 'id');
	useLinearKeywords(compiler);
	return compiler;
}

function construct(draft: Draft, options: Options): AjvCore {
	switch (draft) {
		case '2020-12':
			return new Ajv2020(options);
		case '2019-09':
			return new Ajv2019(options);
		case 'draft-07':
			return new Ajv(options);
		case 'draft-04':
			return new AjvDraft04(options);
	}
}
