import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { bundleClient } from '../support/conformance/bundleClient';
import { playScenario } from '../support/conformance/playScenario';
import { listScenarios } from '../support/conformance/scenarios';

const scenarios = await listScenarios();
const played = scenarios.filter(({ leftOut }) => leftOut === undefined).map(({ name }) => name);

let folder: string;
let client: string;

beforeAll(async () => {
	folder = mkdtempSync(join(tmpdir(), 'salvor-conformance-client-'));
	client = await bundleClient(folder);
});

afterAll(() => {
	rmSync(folder, { recursive: true, force: true });
});

describe('the official suite for clients', () => {
	test.each(played)('lets our session pass in %s', async (name) => {
		expect(await playScenario(name, client)).toBeUndefined();
	});

	test('is played for initialising, calling and resuming, whatever else it may gain', () => {
		expect(played).toEqual(expect.arrayContaining(['initialize', 'tools_call', 'sse-retry']));
	});
});

describe('a client that the suite does not let pass', () => {
	const idle = `"${process.execPath}" -e 0 --`;

	test('for what it left undone is told with the words of the suite', async () => {
		expect(await playScenario('tools_call', idle)).toContain('1 failed');
	});

	test('for having spoken to nobody has not passed, although no check failed', async () => {
		expect(await playScenario('initialize', idle)).toBeDefined();
	});

	test('for its exit code alone has not passed', async () => {
		expect(
			await playScenario('initialize', `scenario() { ${client} "$1"; return 3; }; scenario`),
		).toBeDefined();
	});
});
