import path from 'node:path';
import { expect } from 'vitest';
import type { Json } from '../../scripts/host/json';
import type { Place } from './publishedServers';

/** A call, and what it has to put out. */
export type ExpectedCall = readonly [tool: string, args: Json, output: unknown];

const containing = (text: string): unknown => expect.stringContaining(text);
const holding = (part: Json): unknown => expect.objectContaining(part);

/** What the published servers are asked, one call after the other over one connection, by package. */
export const publishedCalls: Readonly<Record<string, (place: Place) => readonly ExpectedCall[]>> = {
	'@modelcontextprotocol/server-everything': () => [['echo', { message: 'ahoy' }, 'Echo: ahoy']],
	'@modelcontextprotocol/server-filesystem': ({ folder }) => [
		[
			'write_file',
			{ path: path.join(folder, 'a b.txt'), content: '{"a":1}' },
			holding({ content: containing('Successfully wrote') }),
		],
		['read_text_file', { path: path.join(folder, 'a b.txt') }, { content: '{"a":1}' }],
	],
	'@modelcontextprotocol/server-memory': () => {
		const entities = [{ name: 'Quay 7', entityType: 'berth', observations: ['deep'] }];
		return [
			['create_entities', { entities }, { entities }],
			['read_graph', {}, { entities, relations: [] }],
		];
	},
	'@modelcontextprotocol/server-sequential-thinking': () => [
		[
			'sequentialthinking',
			{ thought: 'First', nextThoughtNeeded: true, thoughtNumber: 1, totalThoughts: 2 },
			holding({ thoughtNumber: 1, nextThoughtNeeded: true, thoughtHistoryLength: 1 }),
		],
		[
			'sequentialthinking',
			{ thought: 'Last', nextThoughtNeeded: false, thoughtNumber: 2, totalThoughts: 2 },
			holding({ thoughtNumber: 2, nextThoughtNeeded: false, thoughtHistoryLength: 2 }),
		],
	],
	'@modelcontextprotocol/server-postgres': () => [
		['query', { sql: 'SELECT 6 * 7 AS answer' }, [{ answer: 42 }]],
	],
	'@modelcontextprotocol/server-redis': ({ folder }) => {
		const key = `salvor:${path.basename(folder)}`;
		return [
			['set', { key, value: 'moored', expireSeconds: 60 }, `Successfully set key: ${key}`],
			['get', { key }, 'moored'],
			['delete', { key: [key] }, containing('Successfully deleted 1')],
		];
	},
	'@playwright/mcp': () => [
		[
			'browser_navigate',
			{ url: 'data:text/html,<title>Harbour</title><h1>Quay 7</h1>' },
			containing('Page Title: Harbour'),
		],
		['browser_snapshot', {}, containing('heading "Quay 7"')],
		[
			'browser_take_screenshot',
			{ scale: 'css' },
			expect.arrayContaining([{ type: 'image', mimeType: 'image/png', binary: 'data' }]),
		],
	],
	'@coo-quack/calc-mcp': () => [
		['math', { operation: 'eval', expression: '6 * 7' }, 42],
		[
			'hash',
			{ input: 'abc', algorithm: 'sha256' },
			{ hash: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad' },
		],
	],
	'@cyanheads/git-mcp-server': ({ folder }) => [
		[
			'git_init',
			{ path: path.join(folder, 'repository'), initialBranch: 'quay' },
			holding({ success: true, initialBranch: 'quay' }),
		],
		[
			'git_status',
			{ path: path.join(folder, 'repository') },
			holding({ currentBranch: 'quay', isClean: true }),
		],
	],
	'time-mcp': () => [
		['days_in_month', { date: '2024-02-01' }, 'The number of days in month is 29.'],
	],
	'@modelcontextprotocol/server-system-monitor': () => [
		['get-system-info', {}, holding({ arch: process.arch })],
	],
	'mcp-hello-world': () => [
		['echo', { message: 'ahoy' }, 'You said: ahoy'],
		['add', { a: 1.5, b: 2 }, 'The sum is: 3.5'],
	],
};
