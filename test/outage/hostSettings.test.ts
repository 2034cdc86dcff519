import { createServer, request } from 'node:http';
import type { Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../scripts/host/freePort';
import { startN8n } from '../../scripts/host/n8nInstance';
import type { N8nInstance } from '../../scripts/host/n8nInstance';
import { n8nRest } from '../../scripts/host/n8nRest';
import type { CredentialReference, N8nRest } from '../../scripts/host/n8nRest';
import { httpConnection, jsonOf, postAnswer, runUntil } from '../support/host';
import { hostOwner } from '../support/hostPeers';
import { callEach, listItems, lookBack, lookedBack, manyItems, runUrl } from '../support/manyParks';
import { answers, sendsPark, shownUrl, suspends } from '../support/parkRuns';
import { startParkServer } from '../support/servers/parkServer';
import type { ParkServer } from '../support/servers/parkServer';
import { startTunnel } from '../support/servers/tunnel';
import type { Tunnel } from '../support/servers/tunnel';

const PREFIX = '/automation';

let folder: string;
let n8n: N8nInstance;
let rest: N8nRest;
let proxy: Server;
let tunnel: Tunnel;
let publicBase: string;
let parkServer: ParkServer;
let credential: CredentialReference;

beforeAll(async () => {
	folder = await mkdtemp(path.join(tmpdir(), 'salvor-subpath-'));
	const port = await freePort();
	parkServer = await startParkServer();
	proxy = await startProxy(port);
	tunnel = await startTunnel();
	publicBase = `http://127.0.0.1:${String((proxy.address() as AddressInfo).port)}${PREFIX}`;
	const env = {
		N8N_PATH: `${PREFIX}/`,
		N8N_WEBHOOK_URL: `${publicBase}/`,
		N8N_EDITOR_BASE_URL: publicBase,
		EXECUTIONS_TIMEOUT: '3000',
		EXECUTIONS_TIMEOUT_MAX: '1000',
		HTTP_PROXY: tunnel.url,
		NO_PROXY: '127.0.0.1',
	};
	n8n = await startN8n({ userFolder: folder, port, extension: 'package', env });
	await n8n.rest.signIn(hostOwner);
	rest = n8nRest(n8n.baseUrl, n8n.rest.cookie());
	credential = await httpConnection(rest, { endpoint: parkServer.endpoint });
});
afterAll(async () => {
	await n8n.kill();
	proxy.close();
	proxy.closeAllConnections();
	await parkServer.stop();
	await tunnel.stop();
	await rm(folder, { recursive: true, force: true });
});

/** Passes on what is asked below the prefix, without the prefix; answers 404 to everything else. */
async function startProxy(port: number): Promise<Server> {
	const server = createServer((incoming, outgoing) => {
		const { url = '', method, headers } = incoming;
		if (!url.startsWith(`${PREFIX}/`)) {
			outgoing.writeHead(404).end('not below the prefix');
			return;
		}
		const onward = request(
			{ host: '127.0.0.1', port, method, headers, path: url.slice(PREFIX.length) },
			(answer) => {
				outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
				answer.pipe(outgoing);
			},
		);
		onward.on('error', () => outgoing.destroy());
		incoming.pipe(onward);
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	return server;
}

async function page(url: string): Promise<string> {
	const response = await fetch(url, { headers: { accept: 'text/html' } });
	expect([response.status, response.headers.get('content-type')]).toEqual([
		200,
		'text/html; charset=utf-8',
	]);
	return await response.text();
}

/** Whatever a page makes a browser fetch or open. */
const addressesIn = (html: string): readonly string[] =>
	[...html.matchAll(/\s(?:href|src|action|formaction)="([^"]*)"/g)]
		.map(([, address = '']) => address.replaceAll('&amp;', '&'))
		.filter((address) => !/^(?:#|data:)/.test(address));

test('below a sub-path behind a proxy the addresses lead through it, pages link and post there, and the run goes on (R1, R7, R8, R9)', async () => {
	const calls = [suspends('First?'), answers('said 1'), suspends('Last?')];
	const spec = manyItems(calls, [callEach(credential), lookBack()]);
	const parked = await runUntil(rest, spec, ['waiting']);
	const urls = [shownUrl(parked), shownUrl(parked, 'Call', 2)] as const;
	for (const url of urls) expect(url).toMatch(`${publicBase}/webhook-waiting/${parked.id}?`);

	const list = await page(runUrl(parked));
	const links = addressesIn(list);
	expect(links).toHaveLength(2);
	for (const link of links) expect(link).not.toMatch(/^\/|:\/\//);
	const linked = links.map((link) => new URL(link, runUrl(parked)).href);
	expect(linked).toEqual(urls);
	expect((await listItems(runUrl(parked))).map(({ reason }) => reason)).toEqual([
		'First?',
		'Last?',
	]);

	const form = await page(urls[0]);
	expect(form).toContain('First?');
	// The page's script posts to the address that it was opened at.
	for (const address of addressesIn(form)) expect(address).not.toMatch(/^\/|:\/\//);
	expect((await postAnswer(runUrl(parked), 'which?')).status).toBe(400);
	expect((await postAnswer(urls[0], 'first')).status).toBe(202);
	expect(await page(urls[0])).toContain('Answered already');
	expect((await postAnswer(urls[1], 'last')).status).toBe(200);
	const done = await rest.waitForExecution(parked.id, ['success']);
	expect(jsonOf(done, 'After')).toEqual(lookedBack(['first', 'said 1', 'last']));
});

test('a sleep beyond the time limit that n8n sets for all executions is warned of, with the limit that holds', async () => {
	const call = sendsPark({ sleep_until: new Date(Date.now() + 2_000_000).toISOString() });
	const spec = manyItems([call], [callEach(credential), lookBack()]);
	const parked = await runUntil(rest, spec, ['waiting']);
	expect(JSON.stringify(parked.runData.Call?.at(-1)?.hints)).toContain('may take 1000 seconds');
	await rest.stopExecution(parked.id);
});

test("the proxy in n8n's environment carries calls and the test of a credential, but for hosts in NO_PROXY (C6, U8)", async () => {
	const outside = parkServer.endpoint.replace('127.0.0.1', 'localhost');
	const { host } = new URL(outside);
	const asked = () => tunnel.asked.map(({ target }) => target);
	const call = async (given: CredentialReference) => {
		const execution = await runUntil(
			rest,
			manyItems([answers('done')], [callEach(given), lookBack()]),
			['success'],
		);
		return jsonOf(execution, 'Call').map(({ output }) => output);
	};
	expect(await call(credential)).toEqual(['done']);
	expect(asked()).not.toContain(host);
	expect(await call(await httpConnection(rest, { endpoint: outside }))).toEqual(['done']);
	expect(asked()).toContain(host);
	const before = asked().length;
	const data = { transport: 'streamableHttp', endpoint: outside };
	const verdict = await rest.testCredential({ name: 'Unsaved', type: 'mcpConnectionApi', data });
	expect(verdict.status).toBe('OK');
	expect(asked().slice(before)).toContain(host);
});
