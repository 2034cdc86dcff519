import { describe, expect, it } from 'vitest';
import { simpleOutput } from '../../../src/call/simpleOutput';
import type { ToolResult } from '../../../src/call/session';

const text = (value: unknown) => ({ type: 'text', text: value });
const image = { type: 'image', data: 'AAAA', mimeType: 'image/png' };
const link = { type: 'resource_link', uri: 'file:///a.txt', name: 'a' };

describe('`output` in the simple form (surface: Output item, C14)', () => {
	it.each<[string, ToolResult, unknown]>([
		[
			'structuredContent wins over content',
			{ structuredContent: { a: 1 }, content: [text('x')] },
			{ a: 1 },
		],
		['structuredContent alone', { structuredContent: { a: 1 } }, { a: 1 }],
		['a list as structuredContent (U30)', { structuredContent: [1], content: [text('x')] }, [1]],
		['0 as structuredContent', { structuredContent: 0, content: [text('x')] }, 0],
		['false as structuredContent', { structuredContent: false, content: [text('x')] }, false],
		['an empty text as structuredContent', { structuredContent: '', content: [text('x')] }, ''],
		[
			'null as structuredContent, and nothing beside it',
			{ structuredContent: null, content: [] },
			null,
		],
		['null alone as structuredContent', { structuredContent: null }, null],
		[
			'null as structuredContent of a server that means none by it',
			{ structuredContent: null, content: [text('paid')] },
			'paid',
		],
		['one text', { content: [text('paid')] }, 'paid'],
		['one empty text', { content: [text('')] }, ''],
		['one text that is a JSON object', { content: [text(' {"a":[1]}\n')] }, { a: [1] }],
		['one text that is a JSON list', { content: [text('[]')] }, []],
		['one text that is a JSON number', { content: [text('12.5')] }, 12.5],
		['one text that is a JSON boolean', { content: [text('false')] }, false],
		['one text that is JSON null', { content: [text('null')] }, null],
		['one text that is a JSON text', { content: [text('"x"')] }, 'x'],
		['one text that only begins like JSON', { content: [text('{"a":1')] }, '{"a":1'],
		['one text with JSON behind words', { content: [text('ok: {}')] }, 'ok: {}'],
		['several texts', { content: [text('1'), text('2')] }, [text('1'), text('2')]],
		['a text and an image', { content: [text('{}'), image] }, [text('{}'), image]],
		['one image', { content: [image] }, [image]],
		['one resource link stays data', { content: [link] }, [link]],
		[
			'a block nobody knows (C5)',
			{ content: [{ type: 'hologram', x: 1 }] },
			[{ type: 'hologram', x: 1 }],
		],
		['a text block without text', { content: [text(undefined)] }, [text(undefined)]],
		['a text block whose text is a number', { content: [text(5)] }, [text(5)]],
		['a block that is no object', { content: ['x'] }, ['x']],
		['no blocks', { content: [] }, []],
		['no content at all', {}, []],
		['content that is no list', { content: 'x' }, []],
	])('%s', (_, result, output) => {
		expect(simpleOutput(result)).toStrictEqual(output);
	});

	it('`__proto__` in a text is a key like any other', () => {
		const output = simpleOutput({ content: [text('{"__proto__":{"admin":true}}')] });
		expect(Object.keys(output as object)).toEqual(['__proto__']);
		expect((output as { admin?: unknown }).admin).toBeUndefined();
	});
});

describe('numbers that JSON cannot carry whole (C14)', () => {
	it.each(['12345678901234567890', '-12345678901234567890', '1e999'])(
		'%s stays text, because it would lose digits',
		(text) => {
			expect(simpleOutput({ content: [{ type: 'text', text }] })).toBe(text);
		},
	);

	it('inside an object or a list, each stays text by itself', () => {
		const json =
			'{"id": 12345678901234567890, "list": [-9007199254740993, 9007199254740991, 1.5, 1e3], "t": "12345678901234567890"}';
		expect(simpleOutput({ content: [{ type: 'text', text: json }] })).toStrictEqual({
			id: '12345678901234567890',
			list: ['-9007199254740993', 9007199254740991, 1.5, 1000],
			t: '12345678901234567890',
		});
	});
});
