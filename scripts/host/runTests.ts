import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { chromiumPath } from './chromium.ts';
import { ensureBuilt } from './ensureBuilt.ts';
import { installN8n } from './installN8n.ts';
import { asArray, asJson } from './json.ts';
import { projectRoot } from './paths.ts';

const PROJECTS = ['unit', 'contract', 'process', 'page', 'host', 'outage', 'browser'];
const NEED_CHROMIUM = ['page', 'browser'];
const NEED_N8N = ['host', 'outage', 'browser'];
/** Runs beside the others: it mostly waits for instances of n8n that it starts and kills. */
const BESIDE = 'outage';

const args = process.argv.slice(2);
const chosen = PROJECTS.filter((project) => args.includes(project));
const others = args.filter((argument) => !PROJECTS.includes(argument));
const projects = (chosen.length === 0 ? PROJECTS : chosen).filter(
	(project) => !NEED_CHROMIUM.includes(project) || hasChromium(),
);

try {
	await ensureBuilt();
	if (projects.some((project) => NEED_N8N.includes(project))) await installN8n(say);
	if (projects.length === 0) say('0 passed, 0 failed');
	else await run();
} catch (error) {
	say(error instanceof Error ? error.message : String(error));
	say('0 passed, 1 failed');
	process.exitCode = 1;
}

async function run(): Promise<void> {
	const folder = await mkdtemp(path.join(tmpdir(), 'salvor-test-'));
	try {
		const first = projects.filter((project) => !NEED_N8N.includes(project));
		const shared = projects.filter((project) => NEED_N8N.includes(project) && project !== BESIDE);
		const beside = projects.filter((project) => project === BESIDE);
		const all = [await vitest(folder, first, 'inherit')];
		all.push(
			...(await Promise.all([vitest(folder, shared, 'inherit'), vitest(folder, beside, 'pipe')])),
		);
		const sum = (count: 'passed' | 'failed' | 'skipped') =>
			all.reduce((total, run) => total + run[count], 0);
		const isNothing = sum('passed') + sum('failed') + sum('skipped') === 0;
		if (isNothing) say(`There is no such test: ${args.join(' ')}`);
		process.exitCode = sum('failed') > 0 || isNothing ? 1 : 0;
		// Said again here: what a long run printed on the way is often cut off.
		for (const failure of all.flatMap((run) => run.failures)) say(failure);
		const skipped = sum('skipped') > 0 ? `, ${String(sum('skipped'))} skipped` : '';
		say(`${String(sum('passed'))} passed, ${String(sum('failed'))} failed${skipped}`);
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}

/** Runs some projects; with `pipe` what they print comes at their end, in one piece. */
async function vitest(
	folder: string,
	names: readonly string[],
	output: 'inherit' | 'pipe',
): Promise<Totals> {
	if (names.length === 0) return { passed: 0, failed: 0, skipped: 0, failures: [] };
	const report = path.join(folder, `${names.join('-')}.json`);
	const child = spawn(
		process.execPath,
		[
			path.join(projectRoot, 'node_modules', 'vitest', 'vitest.mjs'),
			'run',
			'--reporter=default',
			'--reporter=json',
			`--outputFile.json=${report}`,
			...names.flatMap((project) => ['--project', project]),
			...others,
			...(others.length > 0 ? ['--passWithNoTests'] : []),
		],
		{ cwd: projectRoot, stdio: ['ignore', output, output] },
	);
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
		process.on(signal, () => child.kill(signal));
	}
	const printed: Buffer[] = [];
	for (const stream of [child.stdout, child.stderr]) {
		stream?.on('data', (chunk: Buffer) => printed.push(chunk));
	}
	const code = await new Promise<number>((resolve, reject) => {
		child.once('error', reject);
		child.once('close', (status) => {
			resolve(status ?? 1);
		});
	});
	process.stdout.write(Buffer.concat(printed));
	return await readTotals(report, code);
}

interface Totals {
	readonly passed: number;
	readonly failed: number;
	readonly skipped: number;
	/** A line for each test that failed, and for each file that could not be loaded. */
	readonly failures: readonly string[];
}

/** A file that could not be loaded, or an error outside any test, counts as one failure. */
async function readTotals(report: string, code: number): Promise<Totals> {
	if (!existsSync(report)) {
		const failures = [`FAILED ${path.basename(report)}: no report was written`];
		return { passed: 0, failed: Math.max(1, code), skipped: 0, failures };
	}
	const totals = asJson(JSON.parse(await readFile(report, 'utf8')), 'The report');
	const failures = asArray(totals.testResults, 'The files').flatMap((entry) => {
		const file = asJson(entry, 'A file');
		const tests = asArray(file.assertionResults, 'Its tests').map((test) => asJson(test, 'A test'));
		const name = path.relative(projectRoot, String(file.name));
		if (file.status === 'failed' && tests.length === 0)
			return [`FAILED ${name}: ${firstLine(file.message)}`];
		return tests
			.filter((test) => test.status === 'failed')
			.map((test) => {
				const [message] = asArray(test.failureMessages, 'Its messages');
				return `FAILED ${name} > ${String(test.fullName)}: ${firstLine(message)}`;
			});
	});
	if (failures.length === 0 && code !== 0) failures.push('FAILED: an error outside any test');
	return {
		passed: Number(totals.numPassedTests),
		failed: failures.length,
		skipped: Number(totals.numPendingTests) + Number(totals.numTodoTests),
		failures,
	};
}

function firstLine(message: unknown): string {
	return String(message).split('\n', 1)[0] ?? '';
}

function hasChromium(): boolean {
	if (chromiumPath() !== undefined) return true;
	say('*** The browser tests are LEFT OUT: no Chromium was found.');
	say('*** Install it as /usr/bin/chromium, or name it in the variable CHROMIUM_PATH.');
	return false;
}

function say(line: string): void {
	console.log(line);
}
