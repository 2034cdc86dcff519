import { spawn } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureDependencies } from './dependencies.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..', '..');

/**
 * Installs what is missing, then runs `scripts/host/<name>` with the Node.js of the project's own
 * dependencies, with this process's arguments, and ends as that script ends.
 *
 * @param {string} name the script's file name
 */
export function runHostScript(name) {
	const child = spawn(
		'node',
		[path.join(root, 'scripts', 'host', name), ...process.argv.slice(2)],
		{
			cwd: root,
			stdio: 'inherit',
			env: { ...process.env, PATH: `${bin()}${path.delimiter}${process.env.PATH ?? ''}` },
		},
	);
	// The script decides when it is done; a signal that it receives twice means the same as once.
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
		process.on(signal, () => child.kill(signal));
	}
	if (process.env.npm_lifecycle_event !== undefined) endWithParent(child);
	child.on('error', (error) => {
		console.error(error.message);
		process.exitCode = 1;
	});
	child.on('exit', (code, signal) => {
		process.exitCode = code ?? (signal === 'SIGINT' ? 130 : 1);
	});
}

/** npm starts this through a shell, which passes no signal on when npm is told to end. */
function endWithParent(child) {
	const parent = process.ppid;
	const watch = setInterval(() => {
		if (process.ppid === parent) return;
		clearInterval(watch);
		child.kill('SIGTERM');
	}, 500);
	watch.unref();
}

function bin() {
	try {
		return ensureDependencies(root);
	} catch (error) {
		console.error(error instanceof Error ? error.message : error);
		process.exit(1);
	}
}
