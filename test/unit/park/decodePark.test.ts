import { describe, expect, it } from 'vitest';
import { decodePark, type Park } from '../../../src/park/decodePark';

const content = [{ type: 'text', text: 'registered' }];
const suspend = { reason: 'confirm the account', input_schema: { type: 'object' } };

/** A result whose `_meta.salvor` is this JSON text, as a server would send it: own keys only. */
function withSalvor(json: string): Readonly<Record<string, unknown>> {
	return { content, _meta: { salvor: JSON.parse(json) as unknown } };
}

function refusal(result: Readonly<Record<string, unknown>>): string {
	const reading = decodePark(result);
	return reading.kind === 'refused' ? reading.message : reading.kind;
}

function parkIn(json: string): Park {
	const reading = decodePark(withSalvor(json));
	if (reading.kind !== 'park') throw new Error(`a park was expected, but ${reading.kind} came`);
	return reading.park;
}

const sleep = (until: unknown) => withSalvor(JSON.stringify({ sleep_until: until }));

describe('absence (P1, P16)', () => {
	it.each([
		['`_meta` is null', { content, _meta: null }],
		['`_meta` is a text', { content, _meta: 'salvor' }],
		['`_meta` is an array', { content, _meta: [{ salvor: suspend }] }],
		['`_meta` holds other keys only', { content, _meta: { 'example.org/trace': 'abc' } }],
		['`salvor` stands outside `_meta`', { content, salvor: { suspend } }],
		['the key is written in another case', { content, _meta: { Salvor: { suspend } } }],
	])('%s: an ordinary result', (_, result) => {
		expect(decodePark(result)).toEqual({ kind: 'none' });
	});

	it('an inherited `_meta` or `salvor` is not there', () => {
		const inherits = (prototype: object) => Object.create(prototype) as Record<string, unknown>;
		expect(decodePark(inherits({ _meta: { salvor: { suspend } } }))).toEqual({ kind: 'none' });
		expect(decodePark({ _meta: inherits({ salvor: { suspend } }) })).toEqual({ kind: 'none' });
	});

	it('a `salvor` that only a `__proto__` key holds is not there', () => {
		const meta: unknown = JSON.parse('{"__proto__":{"salvor":{"suspend":{}}}}');
		expect(decodePark({ content, _meta: meta })).toEqual({ kind: 'none' });
	});
});

describe('a failed call cannot park (P2)', () => {
	it('`isError: true` refuses before the shape is looked at', () => {
		const message = refusal({ ...withSalvor('{"nonsense":1}'), isError: true });
		expect(message).toMatch(/^_meta\.salvor must not stand beside `isError: true`/);
		expect(message).not.toContain('nonsense');
	});

	it.each([false, 'true', 1, null])('`isError: %s` is no error, so the park stands', (isError) => {
		expect(decodePark({ ...withSalvor(JSON.stringify({ suspend })), isError }).kind).toBe('park');
	});
});

describe('unknown keys (P4, P8, P16)', () => {
	it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
		'`%s` beside a valid key is an ordinary unknown key',
		(key) => {
			const json = `{"suspend":${JSON.stringify(suspend)},${JSON.stringify(key)}:null}`;
			expect(refusal(withSalvor(json))).toBe(
				`_meta.salvor.${key} is not a known key; known are \`suspend\` and \`sleep_until\``,
			);
		},
	);

	it.each(['__proto__', 'constructor', 'toString'])('`%s` inside suspend is one too', (key) => {
		const json = `{"suspend":{"reason":"x","input_schema":true,${JSON.stringify(key)}:{}}}`;
		expect(refusal(withSalvor(json))).toBe(
			`_meta.salvor.suspend.${key} is not a known key; known are \`reason\`, \`input_schema\` and \`kind\``,
		);
	});

	it('fields that only a `__proto__` key holds do not make a park', () => {
		const fields = JSON.stringify({ suspend });
		expect(refusal(withSalvor(`{"__proto__":${fields}}`))).toContain('_meta.salvor.__proto__');
	});

	it('an unknown key comes before "both arrived" (P6)', () => {
		const json = JSON.stringify({ suspend, sleep_until: '2030-01-01T00:00:00Z', later: null });
		expect(refusal(withSalvor(json))).toContain('_meta.salvor.later is not a known key');
	});

	it('an unknown key comes before "neither arrived" (P7)', () => {
		expect(refusal(withSalvor('{"later":1}'))).toContain('_meta.salvor.later is not a known key');
	});

	it('an unknown key inside suspend comes before its fields are looked at (P8)', () => {
		const message = refusal(withSalvor('{"suspend":{"reason":5,"kind":7,"note":null}}'));
		expect(message).toContain('_meta.salvor.suspend.note is not a known key');
	});

	it('a key that is no identifier is quoted in the path', () => {
		expect(refusal(withSalvor('{"sleep until":1}'))).toMatch(/^_meta\.salvor\["sleep until"\] is/);
		expect(refusal(withSalvor('{"":1}'))).toMatch(/^_meta\.salvor\[""\] is/);
		expect(refusal(withSalvor('{"a\\nb":1}'))).toMatch(/^_meta\.salvor\["a\\nb"\] is/);
	});

	it.each([
		['with a blank', 'key '.repeat(1000)],
		['of letters alone', 'k'.repeat(4000)],
	])('a key %s of 4,000 characters is shortened in the refusal (P14)', (_, key) => {
		expect(refusal(withSalvor(JSON.stringify({ [key]: 1 }))).length).toBeLessThan(300);
	});
});

describe('which of the two (P5, P6, P7)', () => {
	it('both present: the refusal names both', () => {
		const json = JSON.stringify({ suspend: 'x', sleep_until: 5 });
		expect(refusal(withSalvor(json))).toBe(
			'_meta.salvor must hold `suspend` or `sleep_until`, but both arrived',
		);
	});

	it('null counts as absent, so the other one alone is a park', () => {
		expect(parkIn('{"suspend":null,"sleep_until":"2030-01-01T00:00:00Z"}').kind).toBe('sleep');
		expect(parkIn(JSON.stringify({ suspend, sleep_until: null })).kind).toBe('person');
	});

	it('neither present: refused', () => {
		expect(refusal(withSalvor('{}'))).toBe(
			'_meta.salvor must hold `suspend` or `sleep_until`, but neither arrived',
		);
	});

	it.each(['""', '0', 'false'])('a falsy `suspend` (%s) is present and not an object', (json) => {
		expect(refusal(withSalvor(`{"suspend":${json}}`))).toMatch(
			/^_meta\.salvor\.suspend must be an object/,
		);
	});
});

describe('suspend (P8 to P11)', () => {
	it('keeps the reason untrimmed and the schema as it came (P9, P10)', () => {
		const inputSchema = { type: 'object', properties: { paid: { type: 'boolean' } } };
		const reason = '  two\nlines ';
		expect(parkIn(JSON.stringify({ suspend: { reason, input_schema: inputSchema } }))).toEqual({
			kind: 'person',
			reason,
			inputSchema,
		});
	});

	it.each([true, false])('a schema may be the boolean %s (P10)', (inputSchema) => {
		expect(parkIn(JSON.stringify({ suspend: { reason: 'x', input_schema: inputSchema } }))).toEqual(
			{
				kind: 'person',
				reason: 'x',
				inputSchema,
			},
		);
	});

	it('a reason of blanks, tabs and line breaks is blank (P9)', () => {
		const json = JSON.stringify({ suspend: { ...suspend, reason: ' \t\n\u00a0' } });
		expect(refusal(withSalvor(json))).toMatch(/^_meta\.salvor\.suspend\.reason must be a string/);
	});

	it.each(['"person"', '"SIGNAL"', '" signal"', 'false', '0', '[]', '{}'])(
		'kind %s is refused (P11)',
		(json) => {
			const text = `{"suspend":{"reason":"x","input_schema":true,"kind":${json}}}`;
			expect(refusal(withSalvor(text))).toMatch(/^_meta\.salvor\.suspend\.kind must be "signal"/);
		},
	);

	it('drops the content and structuredContent beside a park (P15)', () => {
		const result = { ...withSalvor(JSON.stringify({ suspend })), structuredContent: { a: 1 } };
		expect(decodePark(result)).toEqual({
			kind: 'park',
			park: { kind: 'person', reason: suspend.reason, inputSchema: suspend.input_schema },
		});
	});
});

describe('what a refusal says arrived (P3, P14)', () => {
	it.each([
		['"x"', '"x"'],
		['1.5', '`1.5`'],
		['true', '`true`'],
		['[1,2]', 'an array'],
	])('salvor = %s: %s arrived', (json, arrived) => {
		expect(refusal(withSalvor(json))).toBe(
			`_meta.salvor must be an object, but ${arrived} arrived`,
		);
	});

	it('an absent field: nothing arrived; a null one: null', () => {
		expect(refusal(withSalvor('{"suspend":{}}'))).toContain(
			'reason must be a string that is not blank, but nothing arrived',
		);
		expect(refusal(withSalvor('{"suspend":{"reason":null}}'))).toContain('but null arrived');
	});

	it('an object is named by its kind, never shown', () => {
		const message = refusal(sleep({ secret: 'hunter2' }));
		expect(message).toContain('but an object arrived');
		expect(message).not.toContain('hunter2');
	});

	it('a text is shown by its first 80 characters', () => {
		const message = refusal(sleep('y'.repeat(5000)));
		expect(message).toContain(`but "${'y'.repeat(80)}…" arrived`);
		expect(message).not.toContain('y'.repeat(81));
	});

	it('a text of 80 characters is shown whole', () => {
		expect(refusal(sleep('y'.repeat(80)))).toContain(`but "${'y'.repeat(80)}" arrived`);
	});
});

describe('sleep_until (P12, P13)', () => {
	it.each([['2026-08-14'], ['PT1H'], ['2026-08-14T09:00:00'], [3600], [true], [{}], [[]]])(
		'%j is refused, and the message says that durations are not accepted',
		(until) => {
			expect(refusal(sleep(until))).toMatch(
				/^_meta\.salvor\.sleep_until must be an RFC 3339 date-time with seconds and an offset .* durations are not accepted$/,
			);
		},
	);

	it('the year 3000 is refused by name, not as a malformed date (P13)', () => {
		expect(refusal(sleep('3000-01-01T00:00:00Z'))).toBe(
			'_meta.salvor.sleep_until must lie before the year 3000, which n8n reads as "never", but "3000-01-01T00:00:00Z" arrived',
		);
	});

	it('an instant in the past is accepted (P13)', () => {
		expect(parkIn('{"sleep_until":"1999-12-31T23:59:59Z"}')).toEqual({
			kind: 'sleep',
			until: new Date('1999-12-31T23:59:59Z'),
		});
	});
});
