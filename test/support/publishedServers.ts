import path from 'node:path';
import { nodeProgram } from '../../scripts/host/paths';
import type { AllowedCommand } from '../../scripts/host/stdioCommands';
import { packageFolder, type Published } from './installServer';

/** What a server may need of the machine: a folder of its own always, the rest as it asks. */
export interface Place {
	readonly folder: string;
	readonly postgres?: string;
	readonly redis?: string;
	readonly chromium?: string;
}

export interface PublishedServer extends Published {
	/** The file that starts it, in its package. */
	readonly entry: string;
	readonly needs?: 'postgres' | 'redis' | 'chromium';
	readonly args?: (place: Place) => readonly string[];
	readonly environment?: (place: Place) => Readonly<Record<string, string>>;
}

/** Servers that nobody here wrote, that need no account. */
export const publishedServers: readonly PublishedServer[] = [
	{
		package: '@modelcontextprotocol/server-everything',
		version: '2026.8.31',
		isOwn: true,
		entry: 'dist/index.js',
		args: () => ['stdio'],
	},
	{
		package: '@modelcontextprotocol/server-filesystem',
		version: '2026.8.31',
		isOwn: true,
		entry: 'dist/index.js',
		args: ({ folder }) => [folder],
	},
	{
		package: '@modelcontextprotocol/server-memory',
		version: '2026.8.31',
		entry: 'dist/index.js',
		environment: ({ folder }) => ({ MEMORY_FILE_PATH: path.join(folder, 'memory.jsonl') }),
	},
	{
		package: '@modelcontextprotocol/server-sequential-thinking',
		version: '2026.8.31',
		entry: 'dist/index.js',
	},
	{
		package: '@modelcontextprotocol/server-postgres',
		version: '0.6.2',
		entry: 'dist/index.js',
		needs: 'postgres',
		args: ({ postgres = '' }) => [postgres],
	},
	{
		package: '@modelcontextprotocol/server-redis',
		version: '2025.4.25',
		entry: 'dist/index.js',
		needs: 'redis',
		args: ({ redis = '' }) => [redis],
	},
	{
		package: '@playwright/mcp',
		version: '0.0.83',
		entry: 'cli.js',
		needs: 'chromium',
		args: ({ chromium = '' }) => [
			...['--headless', '--no-sandbox', '--isolated', '--executable-path', chromium],
		],
	},
	{
		package: '@coo-quack/calc-mcp',
		version: '2.1.1',
		entry: 'dist/index.js',
	},
	{
		package: '@cyanheads/git-mcp-server',
		version: '2.15.3',
		entry: 'dist/index.js',
	},
	{
		package: 'time-mcp',
		version: '1.0.6',
		entry: 'dist/index.js',
	},
	{
		package: '@modelcontextprotocol/server-system-monitor',
		version: '2.0.3',
		entry: 'dist/index.js',
		args: () => ['--stdio'],
	},
	{
		package: 'mcp-hello-world',
		version: '1.1.2',
		entry: 'build/stdio.js',
	},
];

/** How a server is started, but for the arguments that depend on the place. */
export const startOf = (server: PublishedServer): AllowedCommand => [
	nodeProgram,
	path.join(packageFolder(server), server.entry),
];
