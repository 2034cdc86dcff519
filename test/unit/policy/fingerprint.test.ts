import { describe, expect, it } from 'vitest';
import { fingerprintText } from '../../../src/policy/fingerprint';
import type { ListedTool } from '../../../src/policy/tool';

const tool: ListedTool = {
	name: 'pay',
	title: 'Pay',
	description: 'Pays an invoice',
	inputSchema: { type: 'object', properties: { id: { type: 'string' } } },
	outputSchema: { type: 'object' },
	annotations: { destructiveHint: true },
	problems: [],
};

describe('the fingerprint of a tool (G4)', () => {
	it('is this text', () => {
		expect(fingerprintText(tool)).toBe(
			'{"annotations":{"destructiveHint":true},"description":"Pays an invoice","inputSchema":{"properties":{"id":{"type":"string"}},"type":"object"},"name":"pay","outputSchema":{"type":"object"}}',
		);
	});

	it.each<[string, Partial<ListedTool>]>([
		['name', { name: 'Pay' }],
		['description', { description: 'Pays an invoice.' }],
		['description, gone', { description: '' }],
		['input schema', { inputSchema: { type: 'object', properties: { id: { type: 'number' } } } }],
		['input schema, deep', { inputSchema: { type: 'object', properties: { id: {} } } }],
		['output schema', { outputSchema: { type: 'object', required: ['id'] } }],
		['output schema, null', { outputSchema: null }],
		['annotations', { annotations: { destructiveHint: false } }],
		['annotations, more', { annotations: { destructiveHint: true, title: 'x' } }],
	])('changes with the %s', (_, change) => {
		expect(fingerprintText({ ...tool, ...change })).not.toBe(fingerprintText(tool));
	});

	it.each(['description', 'outputSchema', 'annotations'] as const)(
		'changes when the %s goes',
		(part) => {
			const { [part]: _, ...rest } = tool;
			expect(fingerprintText(rest)).not.toBe(fingerprintText(tool));
		},
	);

	it('does not change with the title, the problems or the order of keys', () => {
		const { title: _, ...untitled } = tool;
		const same: ListedTool = {
			...untitled,
			inputSchema: { properties: { id: { type: 'string' } }, type: 'object' },
			problems: ['a part is broken'],
		};
		expect(fingerprintText(same)).toBe(fingerprintText(tool));
	});
});
