import { spawn } from 'node:child_process';
import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';

/**
 * Runs npm in a folder. With `pipe`, what npm says stands in the error only. Throws when it fails or the signal ends it.
 */
export async function npm(
	cwd: string,
	args: readonly string[],
	signal?: AbortSignal,
	output: 'inherit' | 'pipe' = 'inherit',
): Promise<void> {
	await new Promise<void>((resolve, reject) => {
		const child = spawn('npm', [...args], {
			cwd,
			stdio: ['ignore', output, output],
			...(signal && { signal }),
		});
		let said = output === 'inherit' ? 'its output above says why.' : '';
		child.stderr?.on('data', (chunk: Buffer) => {
			said = `${said}${chunk.toString()}`.slice(-500);
		});
		child.stdout?.resume();
		child.once('error', reject);
		child.once('exit', (code) => {
			if (code === 0) resolve();
			else reject(new Error(`"npm ${args.join(' ')}" failed; ${said}`));
		});
	});
}

/** Removes the folders `….partial-<process id>` of installations that were cut off. */
export async function removeLeftovers(folder: string): Promise<void> {
	for (const name of await readdir(folder)) {
		const owner = /\.partial-(\d+)$/.exec(name)?.[1];
		if (owner !== undefined && !isRunning(Number(owner))) {
			await rm(path.join(folder, name), { recursive: true, force: true });
		}
	}
}

function isRunning(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return true;
	} catch {
		return false;
	}
}
