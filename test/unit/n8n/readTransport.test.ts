import { describe, expect, it } from 'vitest';
import { readTransport } from '../../../src/n8n/readTransport';
import type { Failure } from '../../../src/outcome/failure';

const SECRET = 'hunter2-s3cret';
const PEM = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----';

const http = (fields: Readonly<Record<string, unknown>>) => ({
	transport: 'streamableHttp',
	endpoint: 'https://mcp.example.com/mcp',
	...fields,
});
const stdio = (fields: Readonly<Record<string, unknown>>) => ({
	transport: 'stdio',
	command: 'npx',
	...fields,
});
const headers = (...header: readonly { readonly name: string; readonly value: unknown }[]) => ({
	headers: { header },
});
const environment = (
	...variable: readonly { readonly name: string; readonly value: unknown }[]
) => ({
	environment: { variable },
});

function settings(data: Readonly<Record<string, unknown>>): unknown {
	const read = readTransport(data);
	return read.ok ? read.value : read.failure;
}

function refusal(data: Readonly<Record<string, unknown>>): Failure {
	const read = readTransport(data);
	if (read.ok) throw new Error('the transport was accepted');
	return read.failure;
}

describe('values are literal (C1, U1 to U3)', () => {
	const odd = [
		'a,b',
		'a b',
		' leading and trailing ',
		'"quoted"',
		"'single'",
		'KEY=value=more',
		'{"a":[1,2]}',
		'$HOME `id` $(id) %PATH%',
		'\\back\\slash',
		'--flag=a b',
		'',
	];

	it.each(odd)('an argument %j', (value) => {
		expect(settings(stdio({ arguments: { argument: [{ value }, { value: 'next' }] } }))).toEqual({
			kind: 'stdio',
			command: 'npx',
			arguments: [value, 'next'],
			environment: [],
		});
	});

	it.each([...odd, 'a\nb', 'Ünïcødé 日本'])('an environment value %j', (value) => {
		const rows = environment({ name: 'A', value }, { name: 'B', value: 'next' });
		expect(settings(stdio(rows))).toEqual({
			kind: 'stdio',
			command: 'npx',
			arguments: [],
			environment: [
				{ name: 'A', value },
				{ name: 'B', value: 'next' },
			],
		});
	});

	it.each(odd)('a header value %j', (value) => {
		const rows = headers({ name: 'X-A', value }, { name: 'X-B', value: 'next' });
		expect(settings(http(rows))).toMatchObject({
			headers: [
				{ name: 'X-A', value },
				{ name: 'X-B', value: 'next' },
			],
		});
	});

	it('a bearer token, a command and a working directory', () => {
		expect(settings(http({ bearerToken: ' a=b, "c" ' }))).toMatchObject({
			bearerToken: ' a=b, "c" ',
		});
		expect(
			settings(stdio({ command: '/opt/my tools/run it', workingDirectory: '/srv/a, b' })),
		).toMatchObject({ command: '/opt/my tools/run it', workingDirectory: '/srv/a, b' });
	});

	it('names of headers and variables are trimmed (U2)', () => {
		expect(settings(http(headers({ name: ' X-A ', value: ' v ' })))).toMatchObject({
			headers: [{ name: 'X-A', value: ' v ' }],
		});
		expect(settings(stdio(environment({ name: ' A\t', value: ' v ' })))).toMatchObject({
			environment: [{ name: 'A', value: ' v ' }],
		});
	});

	it('numbers and booleans that an expression gave become text', () => {
		expect(
			settings(stdio(environment({ name: 'PORT', value: 0 }, { name: 'ON', value: false }))),
		).toMatchObject({
			environment: [
				{ name: 'PORT', value: '0' },
				{ name: 'ON', value: 'false' },
			],
		});
	});
});

describe('what a transport reads as', () => {
	it('HTTP, whole', () => {
		const fields = {
			endpoint: ' http://127.0.0.1:3000/mcp?tenant=a ',
			bearerToken: 'token',
			caCertificate: `\n${PEM}\n`,
			ignoreSslIssues: true,
		};
		expect(settings(http({ ...fields, ...headers({ name: 'X-A', value: 'v' }) }))).toStrictEqual({
			kind: 'streamableHttp',
			endpoint: 'http://127.0.0.1:3000/mcp?tenant=a',
			bearerToken: 'token',
			headers: [{ name: 'X-A', value: 'v' }],
			caCertificate: PEM,
			ignoreSslIssues: true,
		});
	});

	it('HTTP, the least: it is the default, and empty fields are absent', () => {
		const fields = { endpoint: 'https://mcp.example.com/mcp', bearerToken: '', caCertificate: ' ' };
		expect(settings({ ...fields, headers: {} })).toStrictEqual({
			kind: 'streamableHttp',
			endpoint: 'https://mcp.example.com/mcp',
			headers: [],
			ignoreSslIssues: false,
		});
	});

	it.each(['true', 1, null, undefined])('TLS errors are not ignored for %j', (ignoreSslIssues) => {
		expect(settings(http({ ignoreSslIssues }))).toMatchObject({ ignoreSslIssues: false });
	});

	it('the fields of the other transport are ignored (C1)', () => {
		const both = {
			endpoint: 'not a URL',
			...headers({ name: 'a b', value: '\n' }),
			command: 'npx',
		};
		expect(settings({ transport: 'stdio', ...both })).toStrictEqual({
			kind: 'stdio',
			command: 'npx',
			arguments: [],
			environment: [],
		});
		expect(
			settings(http({ command: '', ...environment({ name: '', value: '\0' }) })),
		).toMatchObject({
			kind: 'streamableHttp',
		});
	});

	it('a bearer token beside another header stands', () => {
		const rows = headers({ name: 'X-Authorization', value: 'v' });
		expect(settings(http({ bearerToken: 'token', ...rows }))).toMatchObject({
			bearerToken: 'token',
		});
	});

	it('an Authorization header without a bearer token stands', () => {
		expect(settings(http(headers({ name: 'Authorization', value: 'Basic abc' })))).toMatchObject({
			headers: [{ name: 'Authorization', value: 'Basic abc' }],
		});
	});
});

/** Each row: what is wrong, the credential, and the field that the refusal names. */
const refused: readonly (readonly [string, Readonly<Record<string, unknown>>, string])[] = [
	['an unknown transport', { transport: 'sse' }, 'Transport'],
	['no endpoint', http({ endpoint: ' ' }), 'Endpoint'],
	['an endpoint without http', http({ endpoint: 'mcp.example.com/mcp' }), 'Endpoint'],
	['an endpoint of host and port', http({ endpoint: 'localhost:3000/mcp' }), 'Endpoint'],
	['an endpoint of another scheme', http({ endpoint: 'file:///etc/passwd' }), 'Endpoint'],
	['an endpoint that is an object', http({ endpoint: {} }), 'Endpoint'],
	[
		'a password in the URL',
		http({ endpoint: `https://me:${SECRET}@mcp.example.com/` }),
		'Endpoint',
	],
	[
		'a token as user in the URL',
		http({ endpoint: `https://${SECRET}@mcp.example.com/` }),
		'Endpoint',
	],
	[
		'a bearer token and an Authorization header',
		http({ bearerToken: SECRET, ...headers({ name: 'authorization', value: SECRET }) }),
		'Bearer Token',
	],
	[
		'the same, with blanks around the name',
		http({ bearerToken: SECRET, ...headers({ name: ' AUTHORIZATION ', value: SECRET }) }),
		'Authorization',
	],
	['a header name with a colon', http(headers({ name: 'X-Key:', value: SECRET })), 'Headers'],
	['a header name with a blank', http(headers({ name: 'X Key', value: SECRET })), 'Headers'],
	['a header name with =', http(headers({ name: 'Authorization=', value: SECRET })), 'Headers'],
	['a header without a name', http(headers({ name: ' ', value: SECRET })), 'Headers'],
	['a header name outside ASCII', http(headers({ name: 'X-Schlüssel', value: SECRET })), 'Headers'],
	[
		'a header value with a line break',
		http(headers({ name: 'X-Key', value: `${SECRET}\r\nX-Other: 1` })),
		'X-Key',
	],
	[
		'a header value that ends in one',
		http(headers({ name: 'X-Key', value: `${SECRET}\n` })),
		'X-Key',
	],
	['a header value with NUL', http(headers({ name: 'X-Key', value: `${SECRET}\0` })), 'X-Key'],
	[
		'a header value outside Latin-1',
		http(headers({ name: 'X-Key', value: `${SECRET}€` })),
		'X-Key',
	],
	['a bearer token with a line break', http({ bearerToken: `${SECRET}\n` }), 'Bearer Token'],
	['a bearer token outside Latin-1', http({ bearerToken: `${SECRET}…` }), 'Bearer Token'],
	['a CA that is no PEM', http({ caCertificate: `MIIB${SECRET}` }), 'CA Certificate'],
	[
		'a CA that is a key',
		http({ caCertificate: '-----BEGIN PRIVATE KEY-----\nx' }),
		'CA Certificate',
	],
	['no command', stdio({ command: ' ' }), 'Command'],
	['an environment row with =', stdio(environment({ name: 'A=B', value: SECRET })), 'Environment'],
	[
		'an environment row without a name',
		stdio(environment({ name: '', value: SECRET })),
		'Environment',
	],
	[
		'an environment name with NUL',
		stdio(environment({ name: 'A\0', value: SECRET })),
		'Environment',
	],
	['NUL in a value', stdio(environment({ name: 'A', value: `${SECRET}\0` })), 'stdio'],
	['NUL in an argument', stdio({ arguments: { argument: [{ value: 'a\0' }] } }), 'stdio'],
];

describe('what is refused', () => {
	it.each(refused)('%s: the refusal names the field and a remedy', (_, data, field) => {
		const failure = refusal(data);
		expect(failure).toMatchObject({ code: 'connection-invalid', disposition: 'did-not-happen' });
		expect(failure.message).toMatch(/^The MCP connection cannot be used: /);
		expect(failure.message).toContain(field);
		expect(failure.remedy).toMatch(/\.$/);
	});

	it.each(refused)('%s: the refusal shows no value', (_, data) => {
		expect(JSON.stringify(refusal(data))).not.toContain(SECRET);
	});

	it.each([
		[
			'a whole header in the name',
			http(headers({ name: `Authorization: Bearer ${SECRET}`, value: '' })),
		],
		['a header with = in the name', http(headers({ name: `X-Api-Key = ${SECRET}`, value: '' }))],
		['a whole variable in the name', stdio(environment({ name: `API_KEY=${SECRET}`, value: '' }))],
	])('%s: the value that stands in the wrong field is not shown either', (_, data) => {
		expect(JSON.stringify(refusal(data))).not.toContain(SECRET);
	});

	it('the bad row is named by what stands before its value, so that it is found', () => {
		const rows = environment({ name: 'GOOD', value: '1' }, { name: 'API_KEY=x', value: '' });
		expect(refusal(stdio(rows)).message).toContain('API_KEY');
	});
});
