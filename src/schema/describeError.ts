import type { ErrorObject } from 'ajv/dist/core';

const FORMATS: Readonly<Record<string, string>> = {
	date: 'must be a date such as 2026-11-03',
	time: 'must be a time with an offset such as 09:30:00Z',
	'date-time': 'must be a date and time with an offset such as 2026-11-03T09:30:00Z',
	duration: 'must be a duration such as P3DT4H',
	email: 'must be an e-mail address',
	hostname: 'must be a host name',
	ipv4: 'must be an IPv4 address',
	ipv6: 'must be an IPv6 address',
	uri: 'must be a whole address such as https://example.org/page',
	url: 'must be a whole address such as https://example.org/page',
	uuid: 'must be a UUID',
};

const COMPARISONS: Readonly<Record<string, string>> = {
	'>=': 'at least',
	'<=': 'at most',
	'>': 'more than',
	'<': 'less than',
};

/** One ajv error as words that read on from the place's name; `type`, `enum` and `const` are told elsewhere. */
export function describeError({ keyword, params, message }: ErrorObject): string {
	const param = (name: string): string => text(params[name]);
	switch (keyword) {
		case 'required':
			return 'is required';
		case 'dependentRequired':
		case 'dependencies':
			return `is required when ${JSON.stringify(param('property'))} is given`;
		case 'additionalProperties':
		case 'unevaluatedProperties':
		case 'false schema':
			return 'is not allowed here';
		case 'propertyNames':
			return 'is not an allowed name';
		case 'minimum':
		case 'maximum':
		case 'exclusiveMinimum':
		case 'exclusiveMaximum':
			return `must be ${COMPARISONS[param('comparison')] ?? param('comparison')} ${param('limit')}`;
		case 'multipleOf':
			return `must be a multiple of ${param('multipleOf')}`;
		case 'minLength':
			return `must have at least ${counted(param('limit'), 'character', 'characters')}`;
		case 'maxLength':
			return `must have at most ${counted(param('limit'), 'character', 'characters')}`;
		case 'minItems':
			return `must have at least ${counted(param('limit'), 'entry', 'entries')}`;
		case 'maxItems':
		case 'items':
		case 'additionalItems':
		case 'unevaluatedItems':
			return `must have at most ${counted(param('limit') || param('len'), 'entry', 'entries')}`;
		case 'minProperties':
			return `must have at least ${counted(param('limit'), 'property', 'properties')}`;
		case 'maxProperties':
			return `must have at most ${counted(param('limit'), 'property', 'properties')}`;
		case 'uniqueItems':
			return `must not hold the same entry twice (entries ${param('j')} and ${param('i')})`;
		case 'contains':
			return 'does not hold the entries that it must hold';
		case 'pattern':
			return `must match the pattern ${param('pattern')}`;
		case 'format':
			return FORMATS[param('format')] ?? `must have the format ${JSON.stringify(param('format'))}`;
		case 'oneOf':
			return Array.isArray(params['passingSchemas'])
				? 'fits more than one of the allowed forms, and must fit exactly one'
				: 'fits none of the allowed forms';
		case 'anyOf':
			return 'fits none of the allowed forms';
		case 'not':
			return 'has a form that is not allowed';
		default:
			return message ?? 'is not valid';
	}
}

const text = (value: unknown): string =>
	typeof value === 'string' || typeof value === 'number' ? String(value).slice(0, 120) : '';

const counted = (count: string, one: string, many: string) =>
	`${count} ${count === '1' ? one : many}`;
