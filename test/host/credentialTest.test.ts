import { afterEach, expect, test } from 'vitest';
import type { Json } from '../../scripts/host/json';
import type { CredentialVerdict } from '../../scripts/host/n8nRest';
import { demoServerCommand } from '../../scripts/host/stdioCommands';
import { selfSigned } from '../support/certificate';
import { host, httpConnection, stdioConnection } from '../support/host';
import { stdioPeerCommand } from '../support/hostPeers';
import { startHttpPeer, well } from '../support/servers/httpPeer';
import { listed, startToolServer } from '../support/servers/toolServer';

const SECRET = 'hunter2-c0ffee';

const endings: (() => Promise<void>)[] = [];
afterEach(async () => {
	for (const end of endings.splice(0)) await end();
});

async function started<T extends { readonly stop: () => Promise<void> }>(
	starting: Promise<T>,
): Promise<T> {
	const server = await starting;
	endings.push(() => server.stop());
	return server;
}

async function press(data: Json): Promise<CredentialVerdict> {
	return await host().rest.testCredential({ name: 'Unsaved', type: 'mcpConnectionApi', data });
}

const overHttp = (data: Json = {}): Json => ({
	transport: 'streamableHttp',
	endpoint: host().demoEndpoint,
	...data,
});

const overStdio = ([command, ...args]: readonly string[], data: Json = {}): Json => ({
	transport: 'stdio',
	command,
	arguments: { argument: args.map((value) => ({ value })) },
	...data,
});

const policies = (...tool: readonly Json[]): Json => ({ toolPolicies: { tool } });

test.each([
	['streamable HTTP', () => overHttp()],
	['stdio', () => overStdio(demoServerCommand)],
] as const)(
	'over %s the verdict names server, protocol and tools by effect (C2)',
	async (_, data) => {
		expect(await press(data())).toEqual({
			status: 'OK',
			message:
				'Connected to salvor-demo-server 0.1.0, protocol 2025-11-25, 8 tools: 3 read, 0 idempotent, 5 write.',
		});
	},
);

test('the number of tools by effect follows Tool Policies (C2, E2, E4)', async () => {
	const rows = policies(
		{ name: 'settle_payment', effect: 'idempotent' },
		{ name: 'get_invoice', effect: 'write' },
		{ name: 'schedule_reminder', effect: 'read' },
		{ name: 'broken_park', access: 'denied' },
	);
	expect((await press(overHttp(rows))).message).toBe(
		'Connected to salvor-demo-server 0.1.0, protocol 2025-11-25, 8 tools: 3 read, 1 idempotent, 4 write; 1 not allowed. ' +
			'Declared harmless by the server, write by the operator: get_invoice.',
	);
	expect((await press(overHttp({ useServerHints: false }))).message).toContain(
		'8 tools: 0 read, 0 idempotent, 8 write.',
	);
});

test('a policy that names a tool the server lacks is a warning and not an error (E7, E8)', async () => {
	const verdict = await press(overHttp(policies({ name: 'Get_Invoice', effect: 'read' })));
	expect(verdict.status).toBe('OK');
	expect(verdict.message).toContain(
		'Tool Policies names tools that salvor-demo-server does not offer: Get_Invoice.',
	);
});

test('a server without tools is connected to, and the verdict says that it lists none (C2)', async () => {
	const server = await started(startToolServer([]));
	expect(await press(overHttp({ endpoint: server.endpoint }))).toEqual({
		status: 'OK',
		message:
			'Connected to tool server 7.8.9, protocol 2025-11-25, 0 tools: 0 read, 0 idempotent, 0 write. The server lists no tools.',
	});
});

test('tools of all pages are counted, and the session is closed again (C2, C4, U14, U16)', async () => {
	const tools = Array.from({ length: 7 }, (_, n) => ({ listed: listed(`tool_${n}`) }));
	const server = await started(startToolServer(tools, { pageSize: 3 }));
	const { message } = await press(overHttp({ endpoint: server.endpoint }));
	expect(message).toContain('7 tools');
	expect(server.pagesRead()).toBe(3);
	expect([server.initialised(), server.open()]).toEqual([1, 0]);
});

test('an address where nobody listens fails at the stage connect and names Endpoint (C2, U5)', async () => {
	const peer = await startHttpPeer(() => ({ kind: 'hang' }));
	await peer.stop();
	const { status, message } = await press(overHttp({ endpoint: peer.url }));
	expect(status).toBe('Error');
	expect(message).toContain(
		`Connecting failed: the MCP server at 127.0.0.1:${peer.port} could not be reached (connection refused, ECONNREFUSED).`,
	);
	expect(message).toContain('Check the field Endpoint');
	expect(message).toContain('Stage: connect.');
});

test('an unknown host is told apart from a refused connection (U5)', async () => {
	const { status, message } = await press(overHttp({ endpoint: 'http://nowhere.invalid/mcp' }));
	expect(status).toBe('Error');
	expect(message).toMatch(/unknown host, (ENOTFOUND|EAI_AGAIN)/);
});

test('a path that is not there says so with the HTTP status (U5)', async () => {
	const endpoint = host().demoEndpoint.replace(/mcp$/, 'nothing');
	const { status, message } = await press(overHttp({ endpoint }));
	expect(status).toBe('Error');
	expect(message).toContain('HTTP 404');
	expect(message).toContain('Check the path in the field Endpoint.');
});

test('an endpoint that answers HTML is no MCP server, and the page begins in the message (U5)', async () => {
	const body = '<!doctype html><title>Sign in</title>';
	const peer = await started(
		startHttpPeer(() => ({ kind: 'answer', status: 200, type: 'text/html', body })),
	);
	const { status, message } = await press(overHttp({ endpoint: peer.url }));
	expect(status).toBe('Error');
	expect(message).toContain('does not look like MCP: it answered with HTTP 200 and text/html');
	expect(message).toContain('Check the field Endpoint');
	expect(message).toContain(`The answer began: ${body}`);
	expect(message).toContain('Stage: initialise.');
});

test('the editor itself, given as the endpoint, is refused as no MCP server (U5)', async () => {
	const { status, message } = await press(overHttp({ endpoint: `${host().baseUrl}/home` }));
	expect(status).toBe('Error');
	expect(message).toContain('Endpoint');
});

test('a 401 names the fields that hold the credentials and shows no secret, even one echoed (U2)', async () => {
	const server = await started(startToolServer([], { authorization: 'Bearer another' }));
	const { status, message } = await press(
		overHttp({ endpoint: server.endpoint, bearerToken: SECRET }),
	);
	expect(status).toBe('Error');
	expect(message).toContain('answered with HTTP 401');
	expect(message).toContain('Check the field Bearer Token and the header rows of the connection.');
	expect(message).not.toContain(SECRET);
});

test.each([
	[
		'no endpoint',
		{ transport: 'streamableHttp', endpoint: ' ' },
		'The MCP connection cannot be used: Endpoint is empty. Enter the URL of the MCP server.',
	],
	['no data at all', {}, 'Endpoint is empty'],
	['an endpoint that is no URL', { endpoint: 'localhost' }, 'Endpoint is not an http or https URL'],
	[
		'an endpoint with a password in it',
		{ endpoint: `http://me:${SECRET}@127.0.0.1/mcp` },
		'Put credentials into Bearer Token or Headers',
	],
	['no command', { transport: 'stdio' }, 'Command is empty. Enter the program to run'],
	[
		'both a token and an Authorization header',
		{
			endpoint: 'http://127.0.0.1:9/mcp',
			bearerToken: SECRET,
			headers: { header: [{ name: ' authorization ', value: SECRET }] },
		},
		'Bearer Token and an Authorization header are both given. Keep one of them.',
	],
	[
		'a header whose value was pasted into its name',
		{
			endpoint: 'http://127.0.0.1:9/mcp',
			headers: { header: [{ name: `X-Key: ${SECRET}`, value: '' }] },
		},
		'Headers has a row whose name HTTP cannot carry: "X-Key',
	],
	[
		'a request timeout of nothing',
		{ endpoint: 'http://127.0.0.1:9/mcp', requestTimeout: 0 },
		'Request Timeout must be a whole number of seconds',
	],
	[
		'a policy row without a name',
		{ endpoint: 'http://127.0.0.1:9/mcp', ...policies({ name: '', effect: 'read' }) },
		'Tool Policies has a row without a tool name',
	],
] as const)('%s is refused by the name of the field (C1)', async (_, data, words) => {
	const { status, message } = await press(data);
	expect(status).toBe('Error');
	expect(message).toContain(words);
	expect(message).not.toContain(SECRET);
});

test('a command that does not exist is named, with where it was looked for (U7)', async () => {
	const { status, message } = await press(overStdio(['no-such-program-here', SECRET]));
	expect(status).toBe('Error');
	expect(message).toContain('The command "no-such-program-here" was not found where n8n runs');
	expect(message).toContain('Searched on PATH: ');
	expect(message).toContain('Command: "no-such-program-here" (1 argument).');
	expect(message).not.toContain(SECRET);
});

test.each([
	['another program', ['/bin/sh', '-c', 'exit 0'], 'does not list it'],
	['other leading arguments', [stdioPeerCommand[0], '-e', SECRET], 'lists it only with other'],
] as const)(
	'a command that is not allowed is refused, naming SALVOR_STDIO_COMMANDS: %s (C8, U11)',
	async (_, command, words) => {
		const { status, message } = await press(overStdio(command));
		expect(status).toBe('Error');
		expect(message).toContain(words);
		expect(message).toContain("SALVOR_STDIO_COMMANDS in n8n's environment");
		expect(message).toContain('Stage: spawn.');
		expect(message).not.toContain(SECRET);
	},
);

test('an environment row cannot change what an allowed command loads (C8, U11)', async () => {
	const environment = { variable: [{ name: 'NODE_OPTIONS', value: `--require ${SECRET}` }] };
	const { status, message } = await press(overStdio(stdioPeerCommand, { environment }));
	expect(status).toBe('Error');
	expect(message).toContain('The environment row "NODE_OPTIONS" is refused');
	expect(message).not.toContain(SECRET);
});

test('a program that ends at its start leaves its last words in the message (U6)', async () => {
	const { status, message } = await press(overStdio([...stdioPeerCommand, '--exit-at-start', '3']));
	expect(status).toBe('Error');
	expect(message).toContain('ended before it had initialised (exit code 3).');
	expect(message).toContain('cannot start: the licence is missing');
});

test('a server that never answers is given up after Request Timeout, which is named (C3)', async () => {
	const { status, message } = await press(
		overStdio([...stdioPeerCommand, '--hang'], { requestTimeout: 1 }),
	);
	expect(status).toBe('Error');
	expect(message).toContain('within 1 s, the Request Timeout of the connection');
});

test('masked values of a saved credential are filled in by n8n, token, header and environment alike (C1, U2)', async () => {
	const { rest } = host();
	const byToken = await started(startToolServer([], { authorization: `Bearer ${SECRET}` }));
	const byHeader = await started(startToolServer([], { authorization: `Basic ${SECRET}` }));
	const token = await httpConnection(rest, { endpoint: byToken.endpoint, bearerToken: SECRET });
	const header = await httpConnection(rest, {
		endpoint: byHeader.endpoint,
		headers: { header: [{ name: 'Authorization', value: `Basic ${SECRET}` }] },
	});
	const environment = await stdioConnection(rest, demoServerCommand, {
		environment: { variable: [{ name: 'API_KEY', value: SECRET }] },
	});
	for (const { id } of [token, header, environment]) {
		// What the editor has, and sends back, holds the placeholder only.
		expect(JSON.stringify(await rest.credential(id))).not.toContain(SECRET);
		expect(await rest.testCredential(id)).toMatchObject({ status: 'OK' });
	}
});

test('a self-signed certificate is refused by the names of the fields that help, and each of them does (C1, U9)', async () => {
	const tls = selfSigned();
	const peer = await started(startHttpPeer(() => well, tls));
	const refused = await press(overHttp({ endpoint: peer.url }));
	expect(refused.status).toBe('Error');
	expect(refused.message).toContain('CA Certificate');
	expect(refused.message).toContain('Ignore SSL Issues');
	expect(peer.seen).toEqual([]);
	for (const help of [{ caCertificate: tls.cert }, { ignoreSslIssues: true }]) {
		expect(await press(overHttp({ endpoint: peer.url, ...help }))).toMatchObject({ status: 'OK' });
	}
});

test.each([
	['stdio', overStdio(['no-such-program-here'])],
	['streamable HTTP', { endpoint: 'http://nowhere.invalid/mcp' }],
	['no transport at all', { endpoint: '' }],
] as const)('each sentence of a failed verdict ends with one full stop: %s', async (_, data) => {
	expect((await press(data)).message).not.toContain('..');
});
