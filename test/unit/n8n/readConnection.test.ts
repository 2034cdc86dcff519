import { describe, expect, it } from 'vitest';
import { readConnection } from '../../../src/n8n/readConnection';
import type { Failure } from '../../../src/outcome/failure';

const SECRET = 'hunter2-s3cret-of-more-than-32-bytes';
/** A credential with a secret in every place that holds one. */
const filled = {
	transport: 'streamableHttp',
	endpoint: 'https://mcp.example.com/mcp',
	headers: { header: [{ name: 'X-Api-Key', value: SECRET }] },
	bearerToken: SECRET,
	environment: { variable: [{ name: 'API_KEY', value: SECRET }] },
	signingKey: SECRET,
};

function refusal(fields: unknown): Failure {
	const read = readConnection(fields);
	if (read.ok) throw new Error('the connection was accepted');
	return read.failure;
}

const accepted = (fields: object) => {
	const read = readConnection({ ...filled, ...fields });
	if (!read.ok) throw new Error(read.failure.message);
	return read.value;
};

describe('a connection as the credential states it', () => {
	it('has the documented defaults', () => {
		const read = readConnection({ endpoint: 'https://mcp.example.com/mcp' });
		expect(read).toStrictEqual({
			ok: true,
			value: {
				settings: {
					transport: {
						kind: 'streamableHttp',
						endpoint: 'https://mcp.example.com/mcp',
						headers: [],
						ignoreSslIssues: false,
					},
					requestTimeoutMs: 30_000,
					maxDurationMs: 3_600_000,
				},
				policy: { tools: [], unlistedTools: 'allow', useServerHints: true },
				sharing: 'shared',
				shareResumeUrl: false,
			},
		});
	});

	it('belongs to one execution where Session says so (C9)', () => {
		expect(accepted({ session: 'perExecution' }).sharing).toBe('perExecution');
	});

	it('takes whole seconds from 1, and a maximum equal to the request timeout (C3)', () => {
		expect(accepted({ requestTimeout: 1, maxDuration: 1 }).settings).toMatchObject({
			requestTimeoutMs: 1000,
			maxDurationMs: 1000,
		});
		expect(accepted({ requestTimeout: 600, maxDuration: 86_400 }).settings).toMatchObject({
			requestTimeoutMs: 600_000,
			maxDurationMs: 86_400_000,
		});
	});

	it('keeps the longest duration within what a timer can wait', () => {
		const { maxDurationMs } = accepted({ maxDuration: 2_000_000 }).settings;
		expect(maxDurationMs).toBeLessThan(2 ** 31);
		expect(refusal({ ...filled, maxDuration: 2_000_001 }).message).toContain('Maximum Duration');
	});

	it("takes the operator's name for the server; an empty one is none", () => {
		expect(accepted({ serverName: 'Payments' }).settings.serverName).toBe('Payments');
		expect(accepted({ serverName: '' }).settings).not.toHaveProperty('serverName');
	});

	it.each([true])('shares the resume URL only for %j (C15)', (shareResumeUrl) => {
		expect(accepted({ shareResumeUrl }).shareResumeUrl).toBe(true);
	});

	it.each([false, 'true', 1, null, undefined])(
		'does not share it for %j (C15)',
		(shareResumeUrl) => {
			expect(accepted({ shareResumeUrl }).shareResumeUrl).toBe(false);
		},
	);

	it.each(['', 'shop', 'a.b-c_d9', 'x'.repeat(64)])(
		'takes the namespace "%s" (C11)',
		(namespace) => {
			expect(readConnection({ ...filled, namespace }).ok).toBe(true);
		},
	);
});

describe('what is refused, naming the field', () => {
	const row = (name: unknown, more: object = {}) => ({
		name,
		effect: 'server',
		access: 'allowed',
		...more,
	});
	const policies = (...tool: readonly object[]) => ({ toolPolicies: { tool } });

	const refused: readonly (readonly [string, object, string])[] = [
		['Request Timeout 0', { requestTimeout: 0 }, 'Request Timeout must be a whole number'],
		['Request Timeout -1', { requestTimeout: -1 }, 'Request Timeout must be a whole number'],
		['Request Timeout 1.5', { requestTimeout: 1.5 }, 'Request Timeout must be a whole number'],
		['Request Timeout as text', { requestTimeout: '30' }, 'Request Timeout must be a whole number'],
		['Request Timeout NaN', { requestTimeout: NaN }, 'Request Timeout must be a whole number'],
		[
			'Request Timeout endless',
			{ requestTimeout: Infinity },
			'Request Timeout must be a whole number',
		],
		['Maximum Duration 0', { maxDuration: 0 }, 'Maximum Duration must be a whole number'],
		['Maximum Duration 1.5', { maxDuration: 1.5 }, 'Maximum Duration must be a whole number'],
		[
			'Maximum Duration as text',
			{ maxDuration: 'an hour' },
			'Maximum Duration must be a whole number',
		],
		[
			'a maximum shorter than the request timeout',
			{ requestTimeout: 60, maxDuration: 59 },
			'Maximum Duration is shorter than Request Timeout',
		],
		[
			'a maximum shorter than the default request timeout',
			{ maxDuration: 29 },
			'Maximum Duration is shorter than Request Timeout',
		],
		['a namespace with a blank', { namespace: 'my shop' }, 'Namespace'],
		['a namespace with a slash', { namespace: 'a/b' }, 'Namespace'],
		['a namespace outside ASCII', { namespace: 'läden' }, 'Namespace'],
		['a namespace that ends in a line break', { namespace: 'shop\n' }, 'Namespace'],
		['a namespace of 65 characters', { namespace: 'x'.repeat(65) }, 'Namespace'],
		['a namespace that holds what ends it', { namespace: 'a__b' }, 'Namespace'],
		['a namespace that ends in an underscore', { namespace: 'a_' }, 'Namespace'],
		['a namespace that is no text', { namespace: 7 }, 'Namespace'],
		[
			'a tool policy twice',
			policies(row('pay'), row('pay')),
			'Tool Policies names the tool "pay" twice',
		],
		['a tool policy without a name', policies(row('')), 'Tool Policies'],
		['a tool policy whose name is missing', policies(row(undefined)), 'Tool Policies'],
		['an unknown effect', policies(row('pay', { effect: 'delete' })), 'Tool Policies'],
		['an unknown access', policies(row('pay', { access: 'maybe' })), 'Tool Policies'],
		['an unknown value of Tools Not Listed', { unlistedTools: 'ask' }, 'Tools Not Listed'],
		['an endpoint without http', { endpoint: 'mcp.example.com' }, 'Endpoint'],
	];

	it.each(refused)('%s', (_, fields, problem) => {
		const failure = refusal({ ...filled, ...fields });
		expect(failure).toMatchObject({ code: 'connection-invalid', disposition: 'did-not-happen' });
		expect(failure.message).toContain(problem);
		expect(failure.remedy).toMatch(/\.$/);
	});

	it.each(refused)('%s: no secret is shown', (_, fields) => {
		expect(JSON.stringify(refusal({ ...filled, ...fields }))).not.toContain(SECRET);
	});

	it.each([[undefined], [null], ['text'], [[]]])(
		'a credential of %j holds no data (U4)',
		(data) => {
			expect(refusal(data)).toMatchObject({
				code: 'connection-invalid',
				message: 'The MCP connection cannot be used: the credential holds no data',
			});
		},
	);
});
