import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { asJson } from './json.ts';
import { npm, removeLeftovers } from './npm.ts';
import { cacheFolder } from './paths.ts';

export const n8nVersion = '2.41.1';

const FOLDER = `n8n-${n8nVersion}`;
const MARKER = '.complete';

/** An installed n8n: its folder of modules and the file that starts it. */
export interface InstalledN8n {
	readonly modules: string;
	readonly bin: string;
}

/**
 * The n8n of the tested version in the user's cache, installed first when it is missing.
 * An installation that was cut off is removed; one that is under way elsewhere is left alone.
 * Throws when the installation fails, or when the signal ends it.
 */
export async function installN8n(
	say: (line: string) => void,
	signal?: AbortSignal,
): Promise<InstalledN8n> {
	const cache = cacheFolder();
	const target = path.join(cache, FOLDER);
	if (!(await isComplete(target))) {
		await mkdir(cache, { recursive: true });
		await removeLeftovers(cache);
		say(`Installing n8n ${n8nVersion} into ${target}.`);
		say('This happens once, takes some minutes and about three gigabytes.');
		await install(cache, target, signal);
		say(`n8n ${n8nVersion} is installed.`);
	}
	const modules = path.join(target, 'node_modules');
	return { modules, bin: path.join(modules, 'n8n', 'bin', 'n8n') };
}

async function isComplete(folder: string): Promise<boolean> {
	if (existsSync(path.join(folder, MARKER))) return true;
	const manifest = path.join(folder, 'node_modules', 'n8n', 'package.json');
	const driver = path.join('node_modules', 'sqlite3', 'build', 'Release', 'node_sqlite3.node');
	if (!existsSync(manifest) || !existsSync(path.join(folder, driver))) return false;
	const installed: unknown = JSON.parse(await readFile(manifest, 'utf8'));
	return asJson(installed, manifest).version === n8nVersion;
}

async function install(cache: string, target: string, signal?: AbortSignal): Promise<void> {
	const partial = path.join(cache, `${FOLDER}.partial-${String(process.pid)}`);
	await mkdir(partial);
	try {
		const manifest = { private: true, allowScripts: { sqlite3: true } };
		await writeFile(path.join(partial, 'package.json'), JSON.stringify(manifest));
		const packages = [
			'install',
			'--ignore-scripts',
			'--no-audit',
			'--no-fund',
			'--loglevel=error',
			`n8n@${n8nVersion}`,
		];
		await npm(partial, packages, signal);
		await npm(partial, ['rebuild', 'sqlite3', '--loglevel=error'], signal);
		if (!(await isComplete(partial))) {
			throw new Error(`n8n ${n8nVersion} could not be installed: SQLite’s driver is missing.`);
		}
		await writeFile(path.join(partial, MARKER), `${n8nVersion}\n`);
		if (await isComplete(target)) return;
		await rm(target, { recursive: true, force: true });
		await rename(partial, target);
	} catch (error) {
		// Another process may have put its installation in place at the same moment.
		if (!(await isComplete(target))) throw error;
	} finally {
		await rm(partial, { recursive: true, force: true });
	}
}
