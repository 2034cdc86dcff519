import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** How much memory a process holds just now. */
export async function residentMiB(pid: number): Promise<number> {
	const { stdout } = await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(pid)]);
	return Math.round(Number(stdout) / 1024);
}
