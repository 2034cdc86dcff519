import { spawnSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { onTestFinished } from 'vitest';

import type {
	ConnectionSettings,
	HttpSettings,
	StdioSettings,
} from '../../src/call/connectionSettings';
import type { Failure, Result } from '../../src/outcome/failure';

export const stdioPeerPath = `${import.meta.dirname}/servers/stdioPeer.mjs`;

/** Settings of a child: node with the misbehaving peer unless told otherwise. */
export function stdio(
	transport: Partial<StdioSettings> = {},
	limits: Partial<ConnectionSettings> = {},
): ConnectionSettings {
	return {
		transport: {
			kind: 'stdio',
			command: process.execPath,
			arguments: [stdioPeerPath],
			environment: [],
			...transport,
		},
		requestTimeoutMs: 20_000,
		maxDurationMs: 60_000,
		...limits,
	};
}

export function http(
	endpoint: string,
	transport: Partial<HttpSettings> = {},
	limits: Partial<ConnectionSettings> = {},
): ConnectionSettings {
	return {
		transport: {
			kind: 'streamableHttp',
			endpoint,
			headers: [],
			ignoreSslIssues: false,
			...transport,
		},
		requestTimeoutMs: 20_000,
		maxDurationMs: 60_000,
		...limits,
	};
}

/** A new folder that goes when the test ends. */
export function temporaryFolder(): string {
	const folder = realpathSync(mkdtempSync(join(tmpdir(), 'salvor-')));
	onTestFinished(() => {
		rmSync(folder, { recursive: true, force: true });
	});
	return folder;
}

/** The value of a result that has to be one. */
export function valueOf<T>(result: Result<T>): T {
	if (!result.ok) throw new Error(`failed: ${JSON.stringify(result.failure)}`);
	return result.value;
}

/** The failure of a result that has to be one. */
export function failureOf(result: Result<unknown>): Failure {
	if (result.ok) throw new Error(`did not fail: ${JSON.stringify(result.value)}`);
	return result.failure;
}

/** The JSON in the first text block of a tool's result. */
export function textJson(result: Readonly<Record<string, unknown>>): unknown {
	const content = result['content'] as readonly { readonly text: string }[];
	return JSON.parse(content[0]?.text ?? 'null');
}

/** True while a process with this id runs; one that has ended but was not collected by its parent does not. */
export function isRunning(pid: number): boolean {
	try {
		process.kill(pid, 0);
	} catch {
		return false;
	}
	const state = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }).stdout;
	return state !== '' && !state.trim().startsWith('Z');
}
