import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Runs the official suite's own program to its end; `output` is what it printed, both streams in one. */
export async function runSuite(
	args: readonly string[],
): Promise<{ readonly exitCode: number; readonly output: string }> {
	const program = fileURLToPath(
		import.meta.resolve('@modelcontextprotocol/conformance/dist/index.js'),
	);
	const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
	const printed: Buffer[] = [];
	for (const stream of [child.stdout, child.stderr]) {
		stream.on('data', (chunk: Buffer) => printed.push(chunk));
	}
	const exitCode = await new Promise<number>((resolve, reject) => {
		child.once('error', reject);
		child.once('close', (code) => {
			resolve(code ?? 1);
		});
	});
	return { exitCode, output: Buffer.concat(printed).toString() };
}
