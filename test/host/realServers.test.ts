import { mkdir, mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startChildGroup, type ChildGroup } from '../../scripts/host/childGroup';
import { freePort } from '../../scripts/host/freePort';
import { asJson, type Json } from '../../scripts/host/json';
import type { CredentialReference } from '../../scripts/host/n8nRest';
import { until } from '../../scripts/host/until';
import { fieldsCall, jsonCall } from '../support/calls';
import {
	host,
	httpConnection,
	itemsOf,
	jsonOf,
	runUntil,
	stdioConnection,
	toolCallType,
} from '../support/host';
import { everythingServerCommand, filesystemServerCommand } from '../support/hostPeers';
import { items, manualTrigger, toolCall, toolPicker, workflow } from '../support/workflow';

/** Calls one tool after the other, each for an item of its own, and gives what each put out. */
async function callAll(
	credential: CredentialReference,
	calls: readonly (readonly [tool: string, args: Json])[],
): Promise<readonly Json[]> {
	const execution = await runUntil(
		host().rest,
		workflow([
			manualTrigger(),
			items(calls.map(([tool, args]) => ({ tool, args }))),
			toolCall(credential, jsonCall('={{ $json.tool }}', '={{ $json.args }}', { concurrency: 1 })),
		]),
		['success'],
	);
	return jsonOf(execution, 'Call');
}

describe.each(['stdio', 'streamable HTTP'])('server-everything over %s', (transport) => {
	let credential: CredentialReference;
	let server: ChildGroup | undefined;

	beforeAll(async () => {
		const { rest } = host();
		if (transport === 'stdio') {
			const command = [...everythingServerCommand, 'stdio'] as const;
			credential = await stdioConnection(rest, command, { serverName: 'everything' });
			return;
		}
		const port = await freePort();
		const [command, ...args] = everythingServerCommand;
		const started = await startChildGroup({
			command,
			args: [...args, 'streamableHttp'],
			cwd: tmpdir(),
			env: { ...process.env, PORT: String(port) },
		});
		server = started;
		await until(
			() => (started.logTail().includes(`listening on port ${port}`) ? true : undefined),
			30_000,
			() => `The server does not listen:\n${started.logTail()}`,
		);
		credential = await httpConnection(rest, {
			endpoint: `http://127.0.0.1:${port}/mcp`,
			serverName: 'everything',
		});
	});
	afterAll(async () => {
		await server?.stop();
	});

	test('the credential test connects and counts its tools (C2)', async () => {
		const { status, message } = await host().rest.testCredential(credential.id);
		expect(status).toBe('OK');
		expect(message).toMatch(
			/^Connected to \S+ \d\S*, protocol \d{4}-\d\d-\d\d, \d+ tools: \d+ read, \d+ idempotent, \d+ write\./,
		);
	});

	test('the picker lists its tools with their hints and schemas, none of them broken (E2, E6)', async () => {
		const execution = await runUntil(
			host().rest,
			workflow([manualTrigger(), toolPicker(credential, { operation: 'list' })]),
			['success'],
		);
		const tools = jsonOf(execution, 'Pick');
		expect(tools.length).toBeGreaterThan(5);
		expect(tools.filter(({ problems }) => (problems as readonly unknown[]).length > 0)).toEqual([]);
		expect(tools).toContainEqual(
			expect.objectContaining({
				tool: 'get-sum',
				serverName: 'everything',
				effect: 'read',
				effectSource: 'hint',
				granted: true,
				inputSchema: expect.objectContaining({ required: ['a', 'b'] }) as unknown,
			}),
		);
	});

	test('texts and structured content come through, several calls in one run', async () => {
		const put = await callAll(credential, [
			['echo', { message: 'grüße "quoted" \n' }],
			['get-sum', { a: 20, b: 22 }],
			['get-structured-content', { location: 'Chicago' }],
		]);
		expect(put.map(({ output }) => output)).toEqual([
			'Echo: grüße "quoted" \n',
			'The sum of 20 and 22 is 42.',
			expect.objectContaining({ temperature: expect.any(Number) as unknown }),
		]);
		expect(put.map(({ call }) => call)).toMatchObject([
			{ tool: 'echo', outcome: 'completed', effect: 'read' },
			{ tool: 'get-sum', outcome: 'completed' },
			{ tool: 'get-structured-content', outcome: 'completed' },
		]);
	});

	test('its fields come from its schema, and a sum is called with them (C13)', async () => {
		const { rest } = host();
		const { fields } = await rest.resourceMapperFields({
			nodeType: toolCallType,
			method: 'mapArguments',
			parameter: 'argumentFields',
			parameters: { tool: { __rl: true, mode: 'list', value: 'get-sum' } },
			credentials: { mcpConnectionApi: credential },
		});
		const schema = fields as readonly Json[];
		expect(schema.map(({ id, type, required }) => [id, type, required])).toEqual([
			['a', 'number', true],
			['b', 'number', true],
		]);
		const execution = await runUntil(
			rest,
			workflow([
				manualTrigger(),
				items([{ x: 1 }, { x: 2.5 }]),
				toolCall(credential, fieldsCall('get-sum', { a: '={{ $json.x }}', b: 2 }, schema)),
			]),
			['success'],
		);
		expect(jsonOf(execution, 'Call').map(({ output }) => output)).toEqual([
			'The sum of 1 and 2 is 3.',
			'The sum of 2.5 and 2 is 4.5.',
		]);
	});

	test('its image becomes n8n binary (C14)', async () => {
		const execution = await runUntil(
			host().rest,
			workflow([manualTrigger(), toolCall(credential, jsonCall('get-tiny-image', {}))]),
			['success'],
		);
		const [item] = itemsOf(execution, 'Call');
		expect(item?.json.output).toContainEqual({
			type: 'image',
			mimeType: 'image/png',
			binary: 'data',
		});
		expect(asJson(item?.binary?.data, 'The binary')).toMatchObject({
			mimeType: 'image/png',
			fileExtension: 'png',
		});
	});

	test('progress keeps a call alive that takes longer than Request Timeout (C3, U31)', async () => {
		const { rest } = host();
		const stored = await rest.credential(credential.id);
		if (stored === undefined) throw new Error('The credential is gone.');
		const { id } = await rest.createCredential({
			name: 'Impatient',
			type: stored.type,
			// Enough for a program to start on a busy machine, which the limit holds for too.
			data: { ...stored.data, requestTimeout: 5 },
		});
		const [item] = await callAll({ id, name: 'Impatient' }, [
			['trigger-long-running-operation', { duration: 8, steps: 32 }],
		]);
		expect(item?.output).toContain('Long running operation completed. Duration: 8 seconds');
	});

	test('what it refuses itself fails the item with its own words', async () => {
		const execution = await runUntil(
			host().rest,
			workflow([
				manualTrigger(),
				toolCall(credential, jsonCall('get-structured-content', { location: 'Atlantis' }), {
					onError: 'continueRegularOutput',
				}),
			]),
			['success'],
		);
		expect(jsonOf(execution, 'Call')[0]?.error).toMatchObject({ code: 'arguments-invalid' });
	});
});

describe('server-filesystem over stdio, in a folder with a blank in its name', () => {
	let parent: string;
	let folder: string;
	let credential: CredentialReference;

	beforeAll(async () => {
		parent = await realpath(await mkdtemp(path.join(tmpdir(), 'salvor-files-')));
		folder = path.join(parent, 'my files');
		await mkdir(folder);
		const command = [...filesystemServerCommand, folder] as const;
		credential = await stdioConnection(host().rest, command, { serverName: 'files' });
	});
	afterAll(async () => {
		await rm(parent, { recursive: true, force: true });
	});

	test('the credential test connects and counts its tools (C2)', async () => {
		const { status, message } = await host().rest.testCredential(credential.id);
		expect(status).toBe('OK');
		expect(message).toMatch(/ \d+ tools: [1-9]\d* read, \d+ idempotent, [1-9]\d* write\./);
	});

	test('the picker tells reading tools from writing ones (E2, E6)', async () => {
		const execution = await runUntil(
			host().rest,
			workflow([manualTrigger(), toolPicker(credential, { maximumEffect: 'read' })]),
			['success'],
		);
		const tools = jsonOf(execution, 'Pick').map(({ tool }) => tool);
		expect(tools).toContain('read_text_file');
		expect(tools).not.toContain('write_file');
		expect(tools).not.toContain('move_file');
	});

	test('a file with blanks in its name is written and read again', async () => {
		const file = path.join(folder, 'a note, with blanks.txt');
		const content = 'first line\n  "second" line\n';
		const [written, read, list] = await callAll(credential, [
			['write_file', { path: file, content }],
			['read_text_file', { path: file }],
			['list_directory', { path: folder }],
		]);
		expect(await readFile(file, 'utf8')).toBe(content);
		expect(written?.call).toMatchObject({ outcome: 'completed', serverName: 'files' });
		expect(read?.output).toEqual({ content });
		expect(list?.output).toEqual({ content: '[FILE] a note, with blanks.txt' });
	});

	test('a path outside its folder fails the node with its own words', async () => {
		const outside = path.join(parent, 'other.txt');
		const { error } = await runUntil(
			host().rest,
			workflow([
				manualTrigger(),
				toolCall(credential, jsonCall('write_file', { path: outside, content: 'x' })),
			]),
			['error'],
		);
		expect(error?.message).toContain('The tool "write_file" answered with an error');
		expect(error?.message).toContain('Access denied');
		expect(error?.description).toContain('Code: tool-error. Disposition: landed.');
	});

	test("a file that is not there fails the node with the server's own words", async () => {
		const missing = path.join(folder, 'missing.txt');
		const { error } = await runUntil(
			host().rest,
			workflow([
				manualTrigger(),
				toolCall(credential, jsonCall('read_text_file', { path: missing })),
			]),
			['error'],
		);
		expect(error?.message).toContain('The tool "read_text_file" answered with an error: ENOENT');
		expect(error?.message).toContain('missing.txt');
	});

	test('a folder that its command line does not name leaves the reason in the message (U5, U6)', async () => {
		const { rest } = host();
		const command = [...filesystemServerCommand, path.join(parent, 'no such folder')] as const;
		const { id } = await stdioConnection(rest, command);
		const { status, message } = await rest.testCredential(id);
		expect(status).toBe('Error');
		expect(message).toContain('ended before it had initialised');
		expect(message).toContain('Last lines of its stderr:');
	});
});
