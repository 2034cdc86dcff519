import { _, type CodeKeywordDefinition } from 'ajv/dist/core';
import type AjvCore from 'ajv/dist/core';
import { canonicalJson } from '../json/canonicalJson';

/**
 * Puts `enum` and `uniqueItems` in place of ajv's, which compare each value with each other one:
 * here the time grows with the size of the value, and `"__proto__"` is a text like any other.
 */
export function useLinearKeywords(compiler: AjvCore): void {
	for (const definition of [enumKeyword, uniqueItemsKeyword]) {
		compiler.removeKeyword(String(definition.keyword));
		compiler.addKeyword(definition);
	}
}

const enumKeyword: CodeKeywordDefinition = {
	keyword: 'enum',
	schemaType: 'array',
	error: {
		message: 'must be equal to one of the allowed values',
		params: ({ schemaCode }) => _`{allowedValues: ${schemaCode}}`,
	},
	code: (cxt) => {
		const values: readonly unknown[] = Array.isArray(cxt.schema) ? cxt.schema : [];
		const allowed = new Set(values.map(identityOf));
		const ref = (value: unknown) => allowed.has(identityOf(value));
		const isAllowed = cxt.gen.scopeValue('keyword', { ref });
		cxt.fail(_`!${isAllowed}(${cxt.data})`);
	},
};

const uniqueItemsKeyword: CodeKeywordDefinition = {
	keyword: 'uniqueItems',
	type: 'array',
	schemaType: 'boolean',
	error: {
		message: 'must NOT have duplicate items',
		params: ({ params }) => _`{i: ${params['twins']}[0], j: ${params['twins']}[1]}`,
	},
	code: (cxt) => {
		if (cxt.schema !== true) return;
		const find = cxt.gen.scopeValue('keyword', { ref: findTwins });
		const twins = cxt.gen.const('twins', _`${find}(${cxt.data})`);
		cxt.setParams({ twins });
		cxt.fail(_`${twins} !== undefined`);
	},
};

/** The places of the first entry that was there before, and of the one it equals. */
function findTwins(entries: readonly unknown[]): readonly [number, number] | undefined {
	const seen = new Map<unknown, number>();
	for (let i = 0; i < entries.length; i += 1) {
		const identity = identityOf(entries[i]);
		const j = seen.get(identity);
		if (j !== undefined) return [i, j];
		seen.set(identity, i);
	}
	return undefined;
}

/** The same for equal JSON values and for no others: a text is marked, so that it equals no object's text. */
function identityOf(value: unknown): unknown {
	if (typeof value === 'string') return `"${value}`;
	return typeof value === 'object' && value !== null ? canonicalJson(value) : value;
}
