import { existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { npm, removeLeftovers } from '../../scripts/host/npm.ts';
import { cacheFolder, projectRoot } from '../../scripts/host/paths.ts';

const LIMIT_MS = 150_000;
const OPTIONS = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];

/** A published package in one version. */
export interface Published {
	readonly package: string;
	readonly version: string;
	/** It is among the project's own dependencies, in this version. */
	readonly isOwn?: true;
	/** Its host has what it names as peers, so that they are not installed beside it. */
	readonly hasHost?: true;
}

/** Where the package lies, or will lie once it is installed. */
export const packageFolder = (server: Published): string =>
	path.join(
		server.isOwn === true ? projectRoot : installation(server),
		'node_modules',
		...server.package.split('/'),
	);

/** One folder a version, beside the installed n8n. */
const installation = (server: Published): string =>
	path.join(cacheFolder(), 'servers', `${server.package}@${server.version}`.replaceAll('/', '+'));

/** Installs the package into the user's cache unless it is there; no script of it runs. Throws when it cannot. */
export async function installServer(server: Published): Promise<void> {
	if (existsSync(packageFolder(server))) return;
	const target = installation(server);
	await mkdir(path.dirname(target), { recursive: true });
	await removeLeftovers(path.dirname(target));
	const partial = `${target}.partial-${String(process.pid)}`;
	await mkdir(partial);
	try {
		await writeFile(path.join(partial, 'package.json'), JSON.stringify({ private: true }));
		const peers = server.hasHost === true ? ['--legacy-peer-deps'] : [];
		const args = ['install', ...OPTIONS, ...peers, `${server.package}@${server.version}`];
		await npm(partial, args, AbortSignal.timeout(LIMIT_MS), 'pipe');
		await rename(partial, target);
	} catch (error) {
		// Another process may have put its installation in place at the same moment.
		if (!existsSync(packageFolder(server))) throw error;
	} finally {
		await rm(partial, { recursive: true, force: true });
	}
}
