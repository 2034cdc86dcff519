import type { IExecuteFunctions } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { openJournal } from '../../../src/n8n/journal';

/** A node of one execution; what n8n keeps for it goes through JSON between its tries. */
function node({ retryOnFail = true } = {}) {
	let kept: Record<string, unknown> = {};
	return {
		/** A try of the run with this number. */
		openIn: (runIndex: number) => {
			kept = JSON.parse(JSON.stringify(kept)) as Record<string, unknown>;
			const context = {
				getNode: () => ({ name: 'Call', retryOnFail }),
				evaluateExpression: () => runIndex,
				getContext: () => kept,
			};
			return openJournal<string>(context as unknown as IExecuteFunctions);
		},
		kept: () => JSON.stringify(kept),
	};
}

describe('the journal of a node run (J1)', () => {
	it('gives a later try of the same run what came of each item, under that item', () => {
		const { openIn } = node();
		const first = openIn(0);
		first.record(0, 'paid');
		first.record(2, 'in doubt');
		const second = openIn(0);
		expect([0, 1, 2].map((item) => second.read(item))).toEqual(['paid', undefined, 'in doubt']);
		second.record(1, 'refused');
		expect([0, 1, 2].map((item) => openIn(0).read(item))).toEqual(['paid', 'refused', 'in doubt']);
	});

	it('has it as soon as it is recorded, not at the end of the run', () => {
		const { openIn, kept } = node();
		openIn(0).record(0, 'paid');
		expect(kept()).toContain('paid');
	});

	it('gives another run of the node nothing: a loop is a new order to call', () => {
		const { openIn } = node();
		openIn(0).record(0, 'paid');
		const next = openIn(1);
		expect(next.read(0)).toBeUndefined();
		expect(next.markOnce('told')).toBe(true);
	});

	it('lets be done once what is to be done once in all tries', () => {
		const { openIn } = node();
		expect(openIn(0).markOnce('told')).toBe(true);
		const second = openIn(0);
		expect(second.markOnce('told')).toBe(false);
		expect(second.markOnce('another')).toBe(true);
	});

	it('is empty once it is cleared', () => {
		const { openIn } = node();
		const journal = openIn(0);
		journal.record(0, 'paid');
		journal.clear();
		expect(openIn(0).read(0)).toBeUndefined();
	});

	it('keeps nothing where n8n does not try again', () => {
		const { openIn, kept } = node({ retryOnFail: false });
		openIn(0).record(0, 'paid');
		expect(openIn(0).read(0)).toBeUndefined();
		expect(kept()).toBe('{}');
	});
});
