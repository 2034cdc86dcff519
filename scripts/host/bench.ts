import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { benchmarks } from '../../bench/benchmarks.ts';
import { describeMachine } from '../../bench/machine.ts';
import { printResult } from '../../bench/report.ts';
import { ensureBuilt } from './ensureBuilt.ts';
import { installN8n, n8nVersion } from './installN8n.ts';

const startedAt = performance.now();
const { positionals: names, values: options } = parseArgs({
	allowPositionals: true,
	options: { quick: { type: 'boolean', default: false } },
});
const unknown = names.filter((name) => benchmarks.every((benchmark) => benchmark.name !== name));

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
	process.on(signal, () => stop.abort());
}

if (unknown.length > 0) {
	console.log(`There is no benchmark called ${unknown.join(' or ')}. There are:`);
	for (const { name, about } of benchmarks) console.log(`  ${name.padEnd(10)} ${about}`);
	process.exitCode = 1;
} else {
	try {
		const chosen = benchmarks.filter(({ name }) => names.length === 0 || names.includes(name));
		if (chosen.some(({ needsN8n }) => needsN8n)) {
			await installN8n(say, stop.signal);
			await ensureBuilt();
		}
		for (const benchmark of chosen) await run(benchmark);
	} catch (error) {
		const problem = error instanceof Error ? error.message : String(error);
		say(stop.signal.aborted ? 'Interrupted.' : `FAILED: ${problem}`);
		process.exitCode = stop.signal.aborted ? 130 : 1;
	}
}

async function run(benchmark: (typeof benchmarks)[number]): Promise<void> {
	const folder = await mkdtemp(path.join(tmpdir(), 'salvor-bench-'));
	try {
		say(`${benchmark.name}: ${benchmark.about}`);
		const result = await benchmark.run({
			folder,
			quick: options.quick,
			say,
			signal: stop.signal,
		});
		printResult({
			name: benchmark.name,
			machine: describeMachine(benchmark.needsN8n ? n8nVersion : undefined),
			...result,
		});
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}

function say(line: string): void {
	const seconds = ((performance.now() - startedAt) / 1000).toFixed(1).padStart(6);
	console.log(`${seconds} s  ${line}`);
}
