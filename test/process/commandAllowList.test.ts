import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

import { afterEach, describe, expect, test } from 'vitest';

import type { StdioSettings } from '../../src/call/connectionSettings';
import type { Failure } from '../../src/outcome/failure';
import { openSession } from '../../src/mcp/openSession';
import type { McpSession } from '../../src/call/session';
import { failureOf, stdio, stdioPeerPath, valueOf, temporaryFolder } from '../support/connections';

const node = process.execPath;
const sessions: McpSession[] = [];

const opener = (list: string | undefined, path = process.env['PATH'] ?? '') =>
	openSession({
		env: { PATH: path, ...(list === undefined ? {} : { SALVOR_STDIO_COMMANDS: list }) },
	});

async function allows(list: string, settings: Partial<StdioSettings> = {}): Promise<void> {
	sessions.push(valueOf(await opener(list)(stdio(settings))));
}

async function refuses(
	list: string | undefined,
	settings: Partial<StdioSettings> = {},
): Promise<Failure> {
	const failure = failureOf(await opener(list)(stdio(settings)));
	expect(failure).toMatchObject({
		code: 'spawn-failed',
		disposition: 'did-not-happen',
		stage: 'spawn',
	});
	return failure;
}

afterEach(async () => {
	await Promise.all(sessions.splice(0).map((session) => session.close()));
});

describe('SALVOR_STDIO_COMMANDS (C8)', () => {
	test.each([undefined, '', ' \n'])('refuses every command while it is %j', async (list) => {
		const failure = await refuses(list, { command: 'my server' });
		expect(failure.message).toContain('SALVOR_STDIO_COMMANDS is not set');
		expect(failure.remedy).toContain('SALVOR_STDIO_COMMANDS to "my server"');
	});

	test('allows everything when it is *, detour rows included', async () => {
		await allows('*', { environment: [{ name: 'NODE_PATH', value: '/x' }] });
	});

	test('allows a listed command with any arguments', async () => {
		await allows(`other; ${node}`);
		await allows(`other\n${node}`, { arguments: [stdioPeerPath, '--noise'] });
	});

	test('allows listed leading arguments and what follows them', async () => {
		await allows(`${node} ${stdioPeerPath}`, { arguments: [stdioPeerPath, 'more'] });
	});

	test.each([[['-e', '0']], [[]], [['--inspect', stdioPeerPath]], [[`${stdioPeerPath} `]]])(
		'refuses other leading arguments: %j',
		async (args) => {
			const failure = await refuses(`${node} ${stdioPeerPath}`, { arguments: args });
			expect(failure.message).toContain('other leading arguments');
		},
	);

	test.each([
		[['-c', 'touch /tmp/x']],
		[['-y', '-c', 'touch /tmp/x']],
		[['-y', '--package', '@modelcontextprotocol/server-filesystem', '-c', 'touch /tmp/x']],
		[['--yes', '@modelcontextprotocol/server-filesystem']],
		[['@modelcontextprotocol/server-filesystem']],
		[['-y', '@modelcontextprotocol/server-filesystem-2']],
		[['-y', '@modelcontextprotocol/server-filesystem@latest']],
		[['-y', 'https://example.org/@modelcontextprotocol/server-filesystem']],
		[['-y', ' @modelcontextprotocol/server-filesystem']],
	])('allows npx with one package, and no way round it: %j (U11)', async (args) => {
		const place = temporaryFolder();
		const npx = join(place, 'npx');
		writeFileSync(npx, `#!/bin/sh\nshift 2\nexec "${node}" "${stdioPeerPath}" "$@"\n`, {
			mode: 0o755,
		});
		const path = `${place}:${process.env['PATH'] ?? ''}`;
		const open = opener('npx -y @modelcontextprotocol/server-filesystem', path);
		const start = async (given: readonly string[]) =>
			await open(stdio({ command: 'npx', arguments: given }));
		sessions.push(valueOf(await start(['-y', '@modelcontextprotocol/server-filesystem', '/srv'])));
		expect(failureOf(await start(args)).message).toContain('other leading arguments');
	});

	test('groups a token with double quotes', async () => {
		const place = join(temporaryFolder(), 'with blank; and more');
		mkdirSync(place);
		const peer = join(place, 'peer.mjs');
		symlinkSync(stdioPeerPath, peer);
		await allows(`x;${node} "${peer}"`, { arguments: [peer] });
		await refuses(`x;${node} ${peer}`, { arguments: [peer] });
	});

	test('allows nothing when a quote stays open', async () => {
		const failure = await refuses(`${node};"x`);
		expect(failure.message).toContain('double quote');
	});

	test('means the resolved command, by name or by path', async () => {
		const path = `${dirname(node)}:/usr/bin:/bin`;
		const byName = stdio({ command: basename(node) });
		sessions.push(valueOf(await opener(node, path)(byName)));
		sessions.push(valueOf(await opener(basename(node), path)(stdio())));
	});

	test('says of a program that it does not list the same whether it is there or not', async () => {
		const absent = await refuses(basename(node), { command: 'no-such-program-here' });
		expect(absent.message).toContain('does not list it');
		expect(absent.evidence?.searched).toBeUndefined();
	});

	test('says of a program that it lists where it was looked for (U7)', async () => {
		const absent = await refuses('no-such-program-here', { command: 'no-such-program-here' });
		expect(absent.message).toContain('was not found where n8n runs');
		expect(absent.evidence?.searched?.length).toBeGreaterThan(0);
	});

	test('does not take another program of the same name for the listed one', async () => {
		const place = temporaryFolder();
		const double = join(place, basename(node));
		writeFileSync(double, '#!/bin/sh\nexit 9\n', { mode: 0o755 });
		const failure = await refuses(basename(node), { command: double });
		expect(failure.message).toContain('does not list it');
	});

	test.each([
		'PATH',
		'NODE_OPTIONS',
		'node_options',
		'NODE_PATH',
		'LD_PRELOAD',
		'LD_LIBRARY_PATH',
		'DYLD_INSERT_LIBRARIES',
		'npm_config_registry',
		'NPM_CONFIG_USERCONFIG',
		'PYTHONPATH',
		'PYTHONSTARTUP',
		'PYTHONHOME',
		'PERL5OPT',
		'PERL5LIB',
		'RUBYOPT',
		'RUBYLIB',
		'JAVA_TOOL_OPTIONS',
		'BASH_ENV',
		'ENV',
		'HOME',
		'UV_INDEX_URL',
	])('refuses the detour row %s in a list, naming it and not its value', async (name) => {
		const environment = [
			{ name: 'API_KEY', value: 'fine' },
			{ name, value: 'detour-value' },
		];
		const failure = await refuses(node, { environment });
		expect(failure.message).toContain(`The environment row "${name}" is refused`);
		expect(JSON.stringify(failure)).not.toContain('detour-value');
	});

	test('leaves ordinary rows alone in a list', async () => {
		const environment = ['API_KEY', 'NODE_ENV', 'GITHUB_TOKEN', 'PATHS'].map((name) => ({
			name,
			value: 'x',
		}));
		await allows(node, { environment });
	});

	test('refuses rows that no process can be given', async () => {
		const failure = await refuses('*', { environment: [{ name: 'A=B', value: '' }] });
		expect(failure.message).toContain('The environment row "A=B"');
	});
});
