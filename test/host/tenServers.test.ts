import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath } from '../../scripts/host/chromium';
import { jsonCall } from '../support/calls';
import { host, jsonOf, runUntil, stdioConnection } from '../support/host';
import { installServer } from '../support/installServer';
import { lookForPostgres } from '../support/ledgerBackends';
import { publishedCalls } from '../support/publishedCalls';
import {
	type Place,
	type PublishedServer,
	publishedServers,
	startOf,
} from '../support/publishedServers';
import { realTools } from '../support/realTools';
import { items, manualTrigger, toolCall, toolPicker, workflow } from '../support/workflow';

const REDIS_PORT = 6379;

let parent: string;
/** Why a server cannot be tried here; undefined when it can. */
const obstacles = new Map<PublishedServer, string | undefined>();
let place: Place;

beforeAll(async () => {
	parent = await realpath(await mkdtemp(path.join(tmpdir(), 'salvor-servers-')));
	const postgres = await lookForPostgres();
	const chromium = chromiumPath();
	const redis = (await answers(REDIS_PORT)) ? `redis://127.0.0.1:${REDIS_PORT}` : undefined;
	place = {
		folder: parent,
		...('address' in postgres ? { postgres: postgres.address } : {}),
		...(redis === undefined ? {} : { redis }),
		...(chromium === undefined ? {} : { chromium }),
	};
	const find = async (server: PublishedServer): Promise<string | undefined> => {
		const { needs } = server;
		if (needs !== undefined && place[needs] === undefined) return `there is no ${needs} here`;
		return await installServer(server).then(
			() => undefined,
			(error: unknown) => `it cannot be installed: ${String(error)}`,
		);
	};
	await Promise.all(
		publishedServers.map(async (server) => {
			obstacles.set(server, await find(server));
		}),
	);
});
afterAll(async () => {
	await rm(parent, { recursive: true, force: true });
});

describe('servers that are published as packages, started by n8n', () => {
	test.for(publishedServers)(
		'$package $version is connected, listed as it lists itself, and called',
		async (server, context) => {
			const name = `${server.package}@${server.version}`;
			const obstacle = obstacles.get(server);
			if (obstacle !== undefined) {
				console.warn(`\n*** SKIPPED: ${name}: ${obstacle} ***\n`);
				context.skip(obstacle);
			}
			const folder = await realpath(await mkdtemp(path.join(parent, 'server-')));
			const own = { ...place, folder };
			const command = [...startOf(server), ...(server.args?.(own) ?? [])] as const;
			const rows = Object.entries(server.environment?.(own) ?? {});
			const credential = await stdioConnection(host().rest, command, {
				serverName: server.package,
				workingDirectory: folder,
				requestTimeout: 60,
				environment: { variable: rows.map(([key, value]) => ({ name: key, value })) },
			});
			const calls = publishedCalls[server.package]?.(own) ?? [];
			expect(calls).not.toEqual([]);
			const execution = await runUntil(
				host().rest,
				workflow([
					manualTrigger(),
					toolPicker(credential, { operation: 'list' }),
					items(calls.map(([tool, args]) => ({ tool, args }))),
					toolCall(
						credential,
						jsonCall('={{ $json.tool }}', '={{ $json.args }}', { concurrency: 1 }),
					),
				]),
				['success'],
			);
			const tools = jsonOf(execution, 'Pick').map(({ tool, inputSchema, problems }) => ({
				tool,
				inputSchema,
				problems,
			}));
			const kept = realTools.filter(({ source }) => source === name);
			expect(tools).toEqual(
				kept.map(({ name: tool, listed }) => ({
					tool,
					inputSchema: listed.inputSchema,
					problems: [],
				})),
			);
			const put = jsonOf(execution, 'Call');
			expect(put.map(({ output }) => output)).toEqual(calls.map(([, , output]) => output));
			for (const { call } of put) expect(call).toMatchObject({ outcome: 'completed' });
		},
	);
});

/** Whether something listens on this port of this machine. */
async function answers(port: number): Promise<boolean> {
	return await new Promise((resolve) => {
		const socket = connect({ host: '127.0.0.1', port, timeout: 3_000 });
		const end = (found: boolean) => {
			socket.destroy();
			resolve(found);
		};
		socket.once('connect', () => {
			end(true);
		});
		for (const event of ['error', 'timeout']) {
			socket.once(event, () => {
				end(false);
			});
		}
	});
}
