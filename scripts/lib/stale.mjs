import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const INPUTS = [
	'nodes',
	'credentials',
	'src',
	'package.json',
	'package-lock.json',
	'scripts/build.mjs',
	'scripts/lib/licences.mjs',
	'scripts/lib/pageClient.mjs',
];

/**
 * Whether `<root>/dist` is missing, or older than anything it is built from.
 * Folders count with their own time, so a removed file is noticed too.
 *
 * @param {string} root
 * @returns {boolean}
 */
export function distIsStale(root) {
	const built = modifiedAt(join(root, 'dist', 'salvor.js'));
	return built === undefined || INPUTS.some((input) => isNewer(join(root, input), built));
}

function isNewer(path, than) {
	const stat = statSync(path, { throwIfNoEntry: false });
	if (stat === undefined) return false;
	if (stat.mtimeMs > than) return true;
	return stat.isDirectory() && readdirSync(path).some((name) => isNewer(join(path, name), than));
}

function modifiedAt(path) {
	return statSync(path, { throwIfNoEntry: false })?.mtimeMs;
}
