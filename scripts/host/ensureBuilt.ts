import { spawn } from 'node:child_process';
import { distIsStale } from '../lib/stale.mjs';
import { projectRoot } from './paths.ts';

/** Builds `dist` when it is missing or older than its sources; throws when that fails. */
export async function ensureBuilt(): Promise<void> {
	if (!distIsStale(projectRoot)) return;
	await new Promise<void>((resolve, reject) => {
		const child = spawn('npm', ['run', '--silent', 'build'], {
			cwd: projectRoot,
			stdio: 'inherit',
			shell: process.platform === 'win32',
		});
		child.once('error', reject);
		child.once('exit', (code) => {
			if (code === 0) resolve();
			else reject(new Error('"npm run build" failed; its output above says why.'));
		});
	});
}
