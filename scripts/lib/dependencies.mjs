import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const STAMP = path.join('node_modules', '.salvor-lock');
const INSTALLED = path.join('node_modules', '.package-lock.json');

/**
 * Makes `node_modules` match `package-lock.json`, installing when it does not, and returns the
 * folder that holds the installed programs. Throws when the installation fails.
 *
 * @param {string} root the project's folder
 * @returns {string} the folder to put first on PATH
 */
export function ensureDependencies(root) {
	const lock = readFileSync(path.join(root, 'package-lock.json'));
	const digest = createHash('sha256').update(lock).digest('hex');
	if (!isStamped(root, digest)) {
		if (!isInstalled(root, JSON.parse(lock.toString('utf8')))) install(root);
		writeFileSync(path.join(root, STAMP), `${digest}\n`);
	}
	return path.join(root, 'node_modules', '.bin');
}

function isStamped(root, digest) {
	if (!existsSync(path.join(root, STAMP)) || !hasNode(root)) return false;
	return readFileSync(path.join(root, STAMP), 'utf8').trim() === digest;
}

/** True when npm itself recorded an installation of exactly these versions. */
function isInstalled(root, lock) {
	const record = path.join(root, INSTALLED);
	if (!existsSync(record) || !hasNode(root)) return false;
	const installed = JSON.parse(readFileSync(record, 'utf8')).packages;
	return Object.entries(lock.packages).every(
		([place, { version, optional }]) =>
			place === '' || optional === true || installed[place]?.version === version,
	);
}

function hasNode(root) {
	return existsSync(path.join(root, 'node_modules', '.bin', 'node'));
}

function install(root) {
	console.log('Installing the project’s dependencies (once, about a minute) …');
	run(root, ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']);
	// Only these two need their install scripts; the others would want a compiler.
	run(root, ['rebuild', 'node', 'esbuild', '--loglevel=error']);
}

function run(root, args) {
	const { status, error } = spawnSync('npm', args, {
		cwd: root,
		stdio: 'inherit',
		shell: process.platform === 'win32',
	});
	if (error) throw error;
	if (status !== 0) {
		throw new Error(`"npm ${args.join(' ')}" failed; its output above says why.`);
	}
}
