/** Plays the official suite's client scenarios against this package's own session; says which are left out, and why. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { bundleClient } from '../../test/support/conformance/bundleClient.ts';
import { playScenario } from '../../test/support/conformance/playScenario.ts';
import { listScenarios } from '../../test/support/conformance/scenarios.ts';

let passed = 0;
let failed = 0;
const folder = await mkdtemp(path.join(tmpdir(), 'salvor-conformance-client-'));
try {
	const client = await bundleClient(folder);
	for (const { name, leftOut } of await listScenarios()) {
		if (leftOut !== undefined) {
			console.log(`left out  ${name}: ${leftOut}`);
			continue;
		}
		const problem = await playScenario(name, client);
		if (problem === undefined) passed += 1;
		else failed += 1;
		console.log(`${problem === undefined ? 'passed    ' : 'FAILED    '}${name}`);
		if (problem !== undefined) console.log(problem);
	}
} catch (error) {
	failed += 1;
	console.log(error instanceof Error ? error.message : String(error));
} finally {
	await rm(folder, { recursive: true, force: true });
}
console.log(`${String(passed)} passed, ${String(failed)} failed`);
process.exitCode = failed > 0 ? 1 : 0;
