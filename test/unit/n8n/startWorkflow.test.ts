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

it('the token itself is not told, however the address around it is written (I9)', () => {
	const text = textOf(new Error('to=n8n%3Fsignature%3Dabc-_9&amp;signature=abc-_9'), 'abc-_9');
	expect(text).not.toContain('abc-_9');
	expect(text).toContain('to=n8n%3Fsignature%3D…');
});

it('a long one is cut', () => {
	expect(textOf(new Error('x'.repeat(1_000)))).toHaveLength(301);
});
