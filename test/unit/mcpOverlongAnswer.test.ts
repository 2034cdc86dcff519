import { describe, expect, test } from 'vitest';

import { splitLines } from '../../src/mcp/lineSplitter';
import { idOfOverlong } from '../../src/mcp/overlongAnswer';

const bulk = 'x'.repeat(5_000);

/** What is kept of a frame that is too long to be read. */
const kept = (frame: string) => {
	const [line] = splitLines(1_000).add(Buffer.from(`${frame}\n`));
	if (line === undefined || typeof line === 'string') throw new Error('it is not too long');
	return line;
};

describe('the request that an overlong answer is for', () => {
	test.each<[string, unknown]>([
		['before the result', { jsonrpc: '2.0', id: 7, result: { text: bulk } }],
		['first of all', { id: 7, jsonrpc: '2.0', result: { text: bulk } }],
		['as a text', { jsonrpc: '2.0', id: '7', result: { text: bulk } }],
		['behind the result', { result: { text: bulk }, jsonrpc: '2.0', id: 7 }],
		['behind the result, before the version', { result: { text: bulk }, id: 7, jsonrpc: '2.0' }],
	])('is known from an id that stands %s', (_, frame) => {
		expect(idOfOverlong(kept(JSON.stringify(frame)))).toBe(7);
	});

	test.each<[string, string]>([
		['within the result at its end', JSON.stringify({ result: { text: bulk, id: 7 } })],
		['within the result at its start', JSON.stringify({ result: { id: 7, text: bulk } })],
		['as a text of the result', JSON.stringify({ result: { text: `${bulk},"id":7}` } })],
		['nowhere', bulk],
	])('is not known from an id that stands %s', (_, frame) => {
		expect(idOfOverlong(kept(frame))).toBeUndefined();
	});
});

describe('lines of a stream', () => {
	const split = (text: string, size: number) => {
		const splitter = splitLines(10);
		const bytes = Buffer.from(text);
		const lines = [];
		for (let at = 0; at < bytes.length; at += size) {
			lines.push(...splitter.add(bytes.subarray(at, at + size)));
		}
		return lines;
	};

	test.each([1, 2, 3, 7, 100])('are the same in chunks of %i bytes', (size) => {
		expect(split('one\r\n\näöü€\n0123456789\n01234567890é\nafter\nopen', size)).toEqual([
			'one',
			'',
			'äöü€',
			'0123456789',
			{ head: expect.stringMatching(/^0123456789/), tail: '01234567890é' },
			'after',
		]);
	});
});
