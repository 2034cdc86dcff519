import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { build } from 'esbuild';
import { expect, onTestFinished, test, vi } from 'vitest';

import { isRunning, stdio, stdioPeerPath, temporaryFolder } from '../support/connections';
import { startForgetfulPeer } from '../support/servers/forgetfulPeer';

const root = join(import.meta.dirname, '../..');

/** A program with two copies of the pool's code, as n8n has them when it loads the package twice. */
async function twoCopies(folder: string, main: string): Promise<string> {
	for (const copy of ['one', 'other']) {
		mkdirSync(join(folder, copy));
		await build({
			stdin: {
				contents: "export { sharedPool } from './src/mcp/sharedPool';",
				resolveDir: root,
				loader: 'ts',
			},
			bundle: true,
			platform: 'node',
			format: 'cjs',
			outfile: join(folder, copy, 'pool.js'),
			logLevel: 'error',
		});
	}
	const program = join(folder, 'main.cjs');
	writeFileSync(
		program,
		`
		const { writeFileSync } = require('node:fs');
		const copies = ['one', 'other'].map((copy) => require('./' + copy + '/pool.js'));
		const env = { ...process.env, SALVOR_STDIO_COMMANDS: '*' };
		const lease = async (copy, settings) => {
			const given = await copies[copy].sharedPool(env).value.lease({ settings, listing: 'recent' });
			return given.value;
		};
		const report = (value) => writeFileSync(${JSON.stringify(join(folder, 'report'))}, JSON.stringify(value));
		(async () => { ${main} })();
		`,
	);
	return program;
}

const deaf = JSON.stringify(stdio({ arguments: [stdioPeerPath, '--deaf'] }));
const askPid = (lease: string) =>
	`Number((await ${lease}.callTool({ name: 'pid', arguments: {} })).value.content[0].text)`;
const reportIn = (folder: string): unknown =>
	JSON.parse(readFileSync(join(folder, 'report'), 'utf8'));

test('copies of the code share one pool in a process, and its end leaves no child, in use or idle (C7, C9)', async () => {
	const folder = temporaryFolder();
	const program = await twoCopies(
		folder,
		`
		const one = await lease(0, ${deaf});
		const other = await lease(1, ${deaf});
		report([${askPid('one')}, ${askPid('other')}]);
		await one.close();
		process.exit(0);
		`,
	);
	const child = spawn(process.execPath, [program], { stdio: 'inherit' });
	await once(child, 'exit');
	const [one, other] = reportIn(folder) as readonly number[];
	expect(one).toBeGreaterThan(0);
	expect(other).toBe(one);
	await vi.waitFor(() => {
		expect(isRunning(Number(one))).toBe(false);
	});
});

test('told to end, a process deletes the sessions that nobody uses while it still runs (C6, C9)', async () => {
	const folder = temporaryFolder();
	const peer = await startForgetfulPeer();
	onTestFinished(() => peer.stop());
	const settings = {
		transport: { kind: 'streamableHttp', endpoint: peer.url, headers: [], ignoreSslIssues: false },
		requestTimeoutMs: 20_000,
		maxDurationMs: 20_000,
	};
	const program = await twoCopies(
		folder,
		`
		const staying = setInterval(() => undefined, 60_000);
		process.once('SIGTERM', () => undefined);
		process.once('SIGUSR2', () => process.exit(0));
		const idle = await lease(0, ${JSON.stringify(settings)});
		await idle.close();
		process.stdout.write('ready');
		`,
	);
	const child = spawn(process.execPath, [program], { stdio: ['ignore', 'pipe', 'inherit'] });
	onTestFinished(() => {
		child.kill('SIGKILL');
	});
	await once(child.stdout, 'data');
	expect(peer.deleted()).toEqual([]);
	child.kill('SIGTERM');
	await vi.waitFor(() => {
		expect(peer.deleted()).toEqual(['1']);
	});
	expect(child.exitCode).toBeNull();
});

test('a process that has nothing else to do ends although a session is idle (C9)', async () => {
	const folder = temporaryFolder();
	const peer = await startForgetfulPeer();
	onTestFinished(() => peer.stop());
	const settings = {
		transport: { kind: 'streamableHttp', endpoint: peer.url, headers: [], ignoreSslIssues: false },
		requestTimeoutMs: 20_000,
		maxDurationMs: 20_000,
	};
	const program = await twoCopies(
		folder,
		`await (await lease(0, ${JSON.stringify(settings)})).close();`,
	);
	const child = spawn(process.execPath, [program], { stdio: 'inherit' });
	const [code] = (await once(child, 'exit')) as [number | null];
	expect(code).toBe(0);
});
