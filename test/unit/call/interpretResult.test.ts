import { describe, expect, it } from 'vitest';

import { type Interpretation, interpretResult } from '../../../src/call/interpretResult';
import { compileSchema } from '../../../src/schema/checkSchema';

const nested = (levels: number): unknown =>
	JSON.parse('['.repeat(levels) + ']'.repeat(levels)) as unknown;

/** Reads a result of a tool "look" that lists this output schema. */
function interpret(
	result: Readonly<Record<string, unknown>>,
	outputSchema?: unknown,
): Interpretation {
	const tool = { name: 'look', ...(outputSchema === undefined ? {} : { outputSchema }) };
	return interpretResult(tool, result, (schema, value) => {
		const compiled = compileSchema(schema);
		return compiled.kind === 'compiled' ? compiled.check(value) : [];
	});
}

it('a result that n8n could not store landed, and is said to be unreadable', () => {
	expect(interpret({ content: [], structuredContent: nested(50_000) })).toMatchObject({
		kind: 'failed',
		failure: { code: 'result-unreadable', disposition: 'landed' },
	});
});

it('a long text of a tool error is cut in the message and whole in the data (U30)', () => {
	const text = 'x'.repeat(100_000);
	const read = interpret({ isError: true, content: [{ type: 'text', text }] });
	if (read.kind !== 'failed') throw new Error('not failed');
	expect(read.failure.message.length).toBeLessThan(600);
	expect(read.failure.toolError?.text).toEqual([text]);
});

it('a schema that is nested without end still parks', () => {
	const suspend = { reason: 'Say', input_schema: { a: nested(5_000) } };
	expect(interpret({ content: [], _meta: { salvor: { suspend } } }).kind).toBe('parked');
});

describe('an output that misses its outputSchema (output-invalid)', () => {
	const invoice = {
		type: 'object',
		required: ['id', 'lines'],
		properties: {
			id: { type: 'string' },
			lines: {
				type: 'array',
				items: { type: 'object', properties: { amount: { type: 'number' } } },
			},
		},
	};
	const content = [{ type: 'text', text: 'paid' }];

	it.each([
		[
			'has no structuredContent',
			{ content },
			'The result of "look" has no structuredContent, which its outputSchema asks for',
		],
		[
			'has null for it',
			{ content, structuredContent: null },
			'The structuredContent of "look" does not fit its outputSchema: $ must be an object, but null arrived',
		],
		[
			'lacks a property',
			{ content, structuredContent: { id: 'a' } },
			'The structuredContent of "look" does not fit its outputSchema: $.lines is required',
		],
		[
			'is wrong deep inside',
			{ content, structuredContent: { id: 'a', lines: [{ amount: 1 }, { amount: '2' }] } },
			'The structuredContent of "look" does not fit its outputSchema: $.lines[1].amount must be a number, but a string arrived',
		],
		[
			'is wrong twice',
			{ content, structuredContent: { id: 1, lines: 2 } },
			'The structuredContent of "look" does not fit its outputSchema: $.id must be a string, but a number arrived (and 1 more)',
		],
	])('landed, and its result is kept: %s', (_, result, message) => {
		const read = interpret(result, invoice);
		expect(read).toMatchObject({
			kind: 'failed',
			failure: { code: 'output-invalid', disposition: 'landed', stage: 'call', message },
		});
		expect(read.kind === 'failed' && read.result).toBe(result);
	});

	it('is asked for by a schema that names no type', () => {
		expect(interpret({ content }, { required: ['id'] })).toMatchObject({
			failure: { code: 'output-invalid' },
		});
	});

	it.each<[string, Readonly<Record<string, unknown>>, unknown]>([
		['it fits', { content, structuredContent: { id: 'a', lines: [] } }, invoice],
		['the tool listed no schema', { content, structuredContent: 5 }, undefined],
		['the schema takes anything', { content }, {}],
		['the schema is not valid', { content, structuredContent: 5 }, { type: 'objekt' }],
		['the schema is not valid, and there is none', { content }, { type: 'objekt' }],
		['the schema refers to nowhere', { content }, { $ref: 'https://nowhere.invalid/schema' }],
		['the schema is no schema', { content }, 'text'],
	])('is none when %s', (_, result, schema) => {
		expect(interpret(result, schema)).toEqual({ kind: 'completed', result });
	});

	it("is not looked for in a tool's own error, which says what to do", () => {
		expect(interpret({ content, isError: true }, invoice)).toMatchObject({
			failure: {
				code: 'tool-error',
				remedy: 'Read its answer; running again is a second request.',
			},
		});
	});

	it('is not looked for in a park, whole or malformed', () => {
		const suspend = { reason: 'Say', input_schema: true };
		expect(interpret({ content, _meta: { salvor: { suspend } } }, invoice).kind).toBe('parked');
		expect(interpret({ content, _meta: { salvor: {} } }, invoice)).toMatchObject({
			failure: { code: 'park-malformed' },
		});
	});
});
