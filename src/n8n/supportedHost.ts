import type { IExecuteFunctions } from 'n8n-workflow';

import { isPlainObject } from '../json/plainObject';
import type { Failure } from '../outcome/failure';
import { PARKING_FUNCTIONS } from './parking';

/** The oldest n8n that is supported: the one place that says so. */
export const OLDEST_N8N = { major: 2, minor: 41 } as const;

export type HostAge = 'supported' | 'older' | 'unknown';

export const oldestN8n = `${String(OLDEST_N8N.major)}.${String(OLDEST_N8N.minor)}`;

/** What a run of the call node asks of n8n, up to the wait. */
const NEEDED = [
	...PARKING_FUNCTIONS,
	'addExecutionHints',
	'evaluateExpression',
	'executeWorkflow',
	'getExecutionCancelSignal',
	'getExecutionDataById',
	'getWorkflowSettings',
	'isToolExecution',
] as const satisfies readonly (keyof IExecuteFunctions)[];

/** What is said of a run that this n8n could not park, for what it lacks. */
export const tooOld = (missing: readonly string[]): Failure => ({
	code: 'unclassified',
	disposition: 'did-not-happen',
	message: `This node needs n8n ${oldestN8n} or newer`,
	remedy: `Update n8n; this one lacks ${missing.join(', ')}. No tool was called.`,
});

/** The functions that a context lacks, by name. An agent that runs its tools by itself gives them fewer, and nothing waits there. */
export function missingFunctions(context: object): readonly string[] {
	return NEEDED.filter((name) => !(name in context));
}

/** How this n8n stands to the oldest one that is supported, by the version of the package that came with it. */
export function compareHost(): HostAge {
	try {
		// eslint-disable-next-line @typescript-eslint/no-require-imports -- read when it is asked for: an import would keep the nodes from loading where it fails
		const manifest: unknown = require('n8n-workflow/package.json');
		return compareVersion(isPlainObject(manifest) ? manifest['version'] : undefined);
	} catch {
		return 'unknown';
	}
}

export function compareVersion(version: unknown): HostAge {
	const parts = typeof version === 'string' ? /^(\d+)\.(\d+)\./.exec(version) : null;
	if (parts === null) return 'unknown';
	const [major, minor] = [Number(parts[1]), Number(parts[2])];
	const older =
		major < OLDEST_N8N.major || (major === OLDEST_N8N.major && minor < OLDEST_N8N.minor);
	return older ? 'older' : 'supported';
}
