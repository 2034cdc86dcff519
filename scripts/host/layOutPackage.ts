import { cp, mkdir, rm, symlink } from 'node:fs/promises';
import path from 'node:path';
import { distFolder, packageName, projectRoot } from './paths.ts';

/** How n8n finds our nodes: as an installed package, or in a folder of custom extensions. */
export type Extension = 'package' | 'custom';

/**
 * Copies the built package to where an n8n with this user folder loads it from, and returns the
 * environment that this n8n needs besides. Beside the copy stands the host's own `n8n-workflow`,
 * which an installed package would find too.
 */
export async function layOutPackage(
	extension: Extension,
	userFolder: string,
	hostModules: string,
): Promise<NodeJS.ProcessEnv> {
	const parent =
		extension === 'package'
			? path.join(userFolder, '.n8n', 'nodes', 'node_modules')
			: path.join(userFolder, 'extension', 'node_modules');
	const copy = path.join(parent, packageName);
	await rm(copy, { recursive: true, force: true });
	await mkdir(copy, { recursive: true });
	await cp(path.join(projectRoot, 'package.json'), path.join(copy, 'package.json'));
	await cp(distFolder, path.join(copy, 'dist'), { recursive: true });

	const peer = path.join(parent, 'n8n-workflow');
	await rm(peer, { recursive: true, force: true });
	await symlink(path.join(hostModules, 'n8n-workflow'), peer, 'junction');
	return extension === 'custom' ? { N8N_CUSTOM_EXTENSIONS: path.join(copy, 'dist') } : {};
}
