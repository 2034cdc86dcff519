import { cp } from 'node:fs/promises';
import path from 'node:path';
import { installServer, packageFolder } from '../test/support/installServer.ts';
import type { Published } from '../test/support/installServer.ts';

/** The community package that we are measured beside. */
const published: Published = { package: 'n8n-nodes-mcp', version: '0.1.37', hasHost: true };

/** Puts it, installed first if need be, among the packages of an n8n with this user folder. */
export async function layOutCommunityNode(userFolder: string): Promise<void> {
	await installServer(published);
	const modules = path.dirname(packageFolder(published));
	await cp(modules, path.join(userFolder, '.n8n', 'nodes', 'node_modules'), { recursive: true });
}
