import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** How many processes of this machine have the text in their command line. */
export async function countProcesses(mark: string): Promise<number> {
	const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'args='], {
		maxBuffer: 64 * 1024 ** 2,
	});
	return stdout.split('\n').filter((line) => line.includes(mark)).length;
}
