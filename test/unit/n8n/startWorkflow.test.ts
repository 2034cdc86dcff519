import { expect, it } from 'vitest';
import { textOf } from '../../../src/n8n/startWorkflow';

it('an error is told in one line without a full stop at its end', () => {
	expect(textOf(new Error('No mail\n  today.'))).toBe('No mail today');
	expect(textOf({ message: 'stored by n8n' })).toBe('stored by n8n');
	expect(textOf('thrown as text')).toBe('thrown as text');
});

it('the token of an address in it is not told (I9)', () => {
	const text = textOf(new Error('Bad URL "https://n8n/webhook-waiting/1?signature=abc-_9&item=0"'));
	expect(text).toBe('Bad URL "https://n8n/webhook-waiting/1?signature=…&item=0"');
});

it('a long one is cut', () => {
	expect(textOf(new Error('x'.repeat(1_000)))).toHaveLength(301);
});
