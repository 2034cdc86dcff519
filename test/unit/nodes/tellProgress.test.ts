import type { IExecuteFunctions } from 'n8n-workflow';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { progressTeller } from '../../../nodes/McpToolCall/tellProgress';

beforeEach(() => {
	vi.useFakeTimers();
});

afterEach(() => {
	vi.useRealTimers();
});

function watched(mode: string) {
	const said: string[] = [];
	const context = { getMode: () => mode, sendMessageToUI: (text: string) => said.push(text) };
	return { said, teller: progressTeller(context as unknown as IExecuteFunctions) };
}

function inTheEditor() {
	const { said, teller } = watched('manual');
	if (teller === undefined) throw new Error('nothing is told');
	return { said, teller };
}

test.each(['webhook', 'trigger', 'integrated', 'retry'])(
	'nobody watches an execution of mode %s, so nothing listens there (C3)',
	(mode) => {
		expect(watched(mode).teller).toBeUndefined();
	},
);

test('what a server tells is said with the tool and the item; what it does not tell is left out', () => {
	const { said, teller } = inTheEditor();
	teller('import', 0).hear({ progress: 3, total: 10, message: 'Reading rows' });
	teller('import', 1).hear({ progress: 0.5 });
	teller('import', 2).hear({ progress: 2, total: 4 });
	teller('import', 3).hear({ progress: 7, message: 'Writing' });
	expect(said).toEqual([
		'import, item 0: 3 of 10, Reading rows',
		'import, item 1: 0.5',
		'import, item 2: 2 of 4',
		'import, item 3: 7, Writing',
	]);
});

test('a call says at most one thing a second, the first at once and then the latest', () => {
	const { said, teller } = inTheEditor();
	const call = teller('import', 0);
	for (let progress = 1; progress <= 100; progress += 1) {
		call.hear({ progress });
		vi.advanceTimersByTime(25);
	}
	expect(said).toEqual([1, 40, 80].map((progress) => `import, item 0: ${String(progress)}`));
	vi.advanceTimersByTime(10_000);
	expect(said.slice(3)).toEqual(['import, item 0: 100']);
});

test('a call that has ended says nothing more, and leaves no timer', () => {
	const { said, teller } = inTheEditor();
	const call = teller('import', 0);
	call.hear({ progress: 1 });
	call.hear({ progress: 2 });
	call.end();
	expect(vi.getTimerCount()).toBe(0);
	expect(said).toEqual(['import, item 0: 1']);
});
