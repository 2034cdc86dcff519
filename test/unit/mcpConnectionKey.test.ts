import { expect, test } from 'vitest';

import type { ConnectionSettings } from '../../src/call/connectionSettings';
import { connectionKey } from '../../src/mcp/connectionKey';
import { http, stdio } from '../support/connections';

const endpoint = 'https://mcp.example.com/mcp';
const row = (name: string, value: string) => [{ name, value }];

const different: Readonly<Record<string, ConnectionSettings>> = {
	'a plain one': http(endpoint),
	'another endpoint': http('https://mcp.example.com/other'),
	'a token': http(endpoint, { bearerToken: 't' }),
	'a header': http(endpoint, { headers: row('X-Tenant', 'a') }),
	'another value of it': http(endpoint, { headers: row('X-Tenant', 'b') }),
	'a certificate authority': http(endpoint, { caCertificate: 'PEM' }),
	'SSL issues ignored': http(endpoint, { ignoreSslIssues: true }),
	'another request timeout': http(endpoint, {}, { requestTimeoutMs: 1_000 }),
	'another maximum duration': http(endpoint, {}, { maxDurationMs: 1_000 }),
	'answers for what it asks': http(endpoint, {}, { presetAnswers: { a: 1 } }),
	'other answers': http(endpoint, {}, { presetAnswers: { a: 2 } }),
	'another transport': stdio(),
	'another command': stdio({ command: 'other' }),
	'an argument': stdio({ arguments: ['a b'] }),
	'the same in two arguments': stdio({ arguments: ['a', 'b'] }),
	'a variable': stdio({ environment: row('KEY', 'a') }),
	'another value of the variable': stdio({ environment: row('KEY', 'b') }),
	'a working directory': stdio({ workingDirectory: '/data' }),
};

test('everything that goes to the wire, and the limits, sets a connection apart (C9)', () => {
	const names = new Map<string, string>();
	for (const [name, settings] of Object.entries(different)) {
		const key = connectionKey(settings, undefined);
		expect(names.get(key), name).toBeUndefined();
		names.set(key, name);
	}
});

test('so does the owner; the name of the server and the order of fields do not', () => {
	const settings = http(endpoint, { bearerToken: 't' });
	const key = connectionKey(settings, undefined);
	expect(connectionKey(settings, 'one')).not.toBe(key);
	expect(connectionKey(settings, 'one')).not.toBe(connectionKey(settings, 'two'));
	expect(connectionKey({ ...settings, serverName: 'billing' }, undefined)).toBe(key);
	const turned = Object.fromEntries(Object.entries(settings.transport).reverse());
	const transport = turned as unknown as ConnectionSettings['transport'];
	expect(connectionKey({ ...settings, transport }, undefined)).toBe(key);
});

test('a key holds no secret (I9)', () => {
	expect(connectionKey(http(endpoint, { bearerToken: 'hunter2' }), undefined)).toMatch(
		/^[0-9a-f]{64}$/,
	);
});
