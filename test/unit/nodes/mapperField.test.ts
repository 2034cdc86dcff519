import { describe, expect, it } from 'vitest';
import { mapperField } from '../../../nodes/McpToolCall/mapperField';
import { toFormModel } from '../../../src/schema/toFormModel';

function shown(property: object, required = false) {
	const schema = { type: 'object', properties: { a: property }, required: required ? ['a'] : [] };
	const model = toFormModel(schema);
	const [field] = model.kind === 'fields' ? model.fields : [];
	if (field === undefined) throw new Error('no field');
	const { type, options, defaultValue } = mapperField(field);
	return { type, values: options?.map(({ value }) => value), defaultValue };
}

describe("a field in n8n's resource mapper (C13)", () => {
	it.each([
		[{ type: 'string' }, 'string'],
		[{ type: 'integer' }, 'number'],
		[{ type: 'object' }, 'object'],
		[{ type: 'array' }, 'array'],
		[{ type: ['object', 'array'] }, 'string'],
		[{}, 'string'],
	])('%j is a field of type %s', (property, type) => {
		expect(shown(property).type).toBe(type);
	});

	it('a yes or no is a switch where a switch that nobody touched says what is meant (U21)', () => {
		const choice = { type: 'options', values: [true, false], defaultValue: undefined };
		expect(shown({ type: 'boolean' })).toEqual(choice);
		expect(shown({ type: 'boolean', default: 'yes' })).toEqual(choice);
		expect(shown({ type: 'boolean' }, true).type).toBe('boolean');
		for (const initial of [true, false]) {
			expect(shown({ type: 'boolean', default: initial })).toEqual({
				type: 'boolean',
				defaultValue: initial,
			});
		}
	});

	it.each<[object, unknown]>([
		[{ type: 'string', default: 'x' }, 'x'],
		[{ type: 'string', default: '' }, ''],
		[{ type: 'string', default: 5 }, undefined],
		[{ type: 'string', default: null }, undefined],
		[{ type: 'number', default: 0 }, 0],
		[{ type: 'number', default: '0' }, undefined],
		[{ enum: [1, '1'], default: 1 }, 1],
		[{ enum: [1, 2], default: '1' }, undefined],
		[{ type: 'array', default: [1] }, '[1]'],
		[{ type: 'object', default: { a: null } }, '{"a":null}'],
		[{ type: ['string', 'number'], default: '5' }, '"5"'],
	])('of %j, the default shown is %j', (property, initial) => {
		expect(shown(property).defaultValue).toBe(initial);
	});
});
