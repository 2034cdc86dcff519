import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runSuite } from './runSuite.ts';

/** The suite measures time, and warns of what a busy machine brings late. */
const runsWithWarnings = 3;

/** Plays one scenario against a client, given as a command; gives what the suite said against it, or undefined. */
export async function playScenario(name: string, client: string): Promise<string | undefined> {
	for (let run = 1; ; run += 1) {
		const { problem, onlyWarnings } = await playOnce(name, client);
		if (problem === undefined || !onlyWarnings || run === runsWithWarnings) return problem;
	}
}

interface Verdict {
	/** Everything that the suite printed, when it did not let the client pass. */
	readonly problem: string | undefined;
	readonly onlyWarnings: boolean;
}

async function playOnce(name: string, client: string): Promise<Verdict> {
	const folder = await mkdtemp(path.join(tmpdir(), 'salvor-conformance-'));
	try {
		const { exitCode, output } = await runSuite([
			'client',
			...['--command', client],
			...['--scenario', name],
			...['--output-dir', folder],
		]);
		const statuses = await statusesIn(folder);
		// The suite lets a scenario pass that made no check at all.
		const passed = exitCode === 0 && statuses.includes('SUCCESS');
		return {
			problem: passed ? undefined : output.trim(),
			onlyWarnings: statuses.includes('WARNING') && !statuses.includes('FAILURE'),
		};
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}

async function statusesIn(folder: string): Promise<readonly string[]> {
	const files = await readdir(folder, { recursive: true });
	const report = files.find((file) => path.basename(file) === 'checks.json');
	if (report === undefined) return [];
	const checks = JSON.parse(await readFile(path.join(folder, report), 'utf8')) as readonly {
		readonly status: string;
	}[];
	return checks.map(({ status }) => status);
}
