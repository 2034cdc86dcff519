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

const PROJECTS = ['unit', 'contract', 'process', 'host', 'browser'];
const NEED_N8N = ['host', 'browser'];

const args = process.argv.slice(2);
const chosen = PROJECTS.filter((project) => args.includes(project));
const others = args.filter((argument) => !PROJECTS.includes(argument));
const projects = (chosen.length === 0 ? PROJECTS : chosen).filter(
	(project) => project !== 'browser' || hasChromium(),
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
	const report = path.join(folder, 'report.json');
	try {
		const code = await vitest(report);
		const totals = await readTotals(report, code);
		process.exitCode = totals.failed > 0 ? 1 : code;
		const skipped = totals.skipped > 0 ? `, ${String(totals.skipped)} skipped` : '';
		say(`${String(totals.passed)} passed, ${String(totals.failed)} failed${skipped}`);
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}

async function vitest(report: string): Promise<number> {
	const child = spawn(
		process.execPath,
		[
			path.join(projectRoot, 'node_modules', 'vitest', 'vitest.mjs'),
			'run',
			'--reporter=default',
			'--reporter=json',
			`--outputFile.json=${report}`,
			...projects.flatMap((project) => ['--project', project]),
			...others,
		],
		{ cwd: projectRoot, stdio: 'inherit' },
	);
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
		process.on(signal, () => child.kill(signal));
	}
	return await new Promise((resolve, reject) => {
		child.once('error', reject);
		child.once('exit', (code) => {
			resolve(code ?? 1);
		});
	});
}

interface Totals {
	readonly passed: number;
	readonly failed: number;
	readonly skipped: number;
}

/** A file that could not be loaded, or an error outside any test, counts as one failure. */
async function readTotals(report: string, code: number): Promise<Totals> {
	if (!existsSync(report)) return { passed: 0, failed: Math.max(1, code), skipped: 0 };
	const totals = asJson(JSON.parse(await readFile(report, 'utf8')), 'The report');
	const unloaded = asArray(totals.testResults, 'The files').filter((entry) => {
		const file = asJson(entry, 'A file');
		return file.status === 'failed' && asArray(file.assertionResults, 'Its tests').length === 0;
	}).length;
	const failed = Number(totals.numFailedTests) + unloaded;
	return {
		passed: Number(totals.numPassedTests),
		failed: failed === 0 && code !== 0 ? 1 : failed,
		skipped: Number(totals.numPendingTests) + Number(totals.numTodoTests),
	};
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
