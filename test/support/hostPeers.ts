import path from 'node:path';
import type { Owner } from '../../scripts/host/n8nRest';
import { nodeProgram, projectRoot } from '../../scripts/host/paths';
import { demoServerCommand } from '../../scripts/host/stdioCommands';
import type { AllowedCommand } from '../../scripts/host/stdioCommands';
import { stdioPeerPath } from './connections';
import { publishedServers, startOf } from './publishedServers';

export const hostOwner: Owner = { email: 'owner@example.com', password: 'Salvor-test-1' };

/** Servers that nobody here wrote, as commands for a stdio connection. */
export const everythingServerCommand: AllowedCommand = [
	nodeProgram,
	officialServer('server-everything'),
];
/** Wants the folders it may see as further arguments. */
export const filesystemServerCommand: AllowedCommand = [
	nodeProgram,
	officialServer('server-filesystem'),
];

/** Answers with its own process id, or misbehaves on request. */
export const stdioPeerCommand: AllowedCommand = [nodeProgram, stdioPeerPath];

/** The same behind a shell that waits for it. */
export const wrappedPeerCommand: AllowedCommand = [
	'sh',
	'-c',
	`${nodeProgram} ${stdioPeerPath}; exit $?`,
];

/** Allowed, and not there. */
export const absentCommand: AllowedCommand = ['no-such-program-here'];

/** What the shared n8n may start, and nothing else (C8). */
export const allowedCommands: readonly AllowedCommand[] = [
	absentCommand,
	demoServerCommand,
	everythingServerCommand,
	filesystemServerCommand,
	stdioPeerCommand,
	...publishedServers.map(startOf),
];

function officialServer(name: string): string {
	const packages = path.join(projectRoot, 'node_modules', '@modelcontextprotocol');
	return path.join(packages, name, 'dist', 'index.js');
}
