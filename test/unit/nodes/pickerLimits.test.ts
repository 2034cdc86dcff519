import type { IExecuteFunctions } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { readLimits } from '../../../nodes/McpToolPicker/limits';

/** The limits of a node whose Maximum Effect gives this. */
const limits = (maximumEffect: unknown) =>
	readLimits(
		{
			getNodeParameter: (name: string, _item: number, otherwise: unknown) =>
				name === 'maximumEffect' ? maximumEffect : otherwise,
		} as unknown as IExecuteFunctions,
		0,
	);

describe('Maximum Effect', () => {
	it.each(['read', 'idempotent', 'write'])('%s is the limit', (maximumEffect) => {
		expect(limits(maximumEffect)).toMatchObject({ ok: true, value: { maximumEffect } });
	});

	it.each([
		[undefined, 'nothing'],
		[null, 'null'],
		['', '""'],
		['Reed', '"Reed"'],
		['Read', '"Read"'],
	])('%j is refused: it would let every tool pass', (maximumEffect, arrived) => {
		expect(limits(maximumEffect)).toEqual({
			ok: false,
			failure: {
				code: 'arguments-invalid',
				disposition: 'did-not-happen',
				message: `Maximum Effect must be read, idempotent or write, but ${arrived} arrived`,
				remedy: 'Correct the expression of Maximum Effect, or choose one from its list.',
			},
		});
	});
});
