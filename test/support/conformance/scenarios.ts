import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/sdk/types.js';
import { leftOut } from './leftOut.ts';
import { runSuite } from './runSuite.ts';

export interface Scenario {
	readonly name: string;
	/** Why it is not played; absent when it is. */
	readonly leftOut?: string;
}

/**
 * The client scenarios of the official suite, those for drafts and extensions included.
 * Throws when the suite lists none, or when a row of `leftOut` stands for none.
 */
export async function listScenarios(): Promise<readonly Scenario[]> {
	const { output } = await runSuite(['list', '--client']);
	const listed = [...output.matchAll(/^ +- (\S+) \[(.*)\]$/gm)].map(
		([, name = '', versions = '']) => scenarioOf(name, versions.split(',')),
	);
	if (listed.length === 0) throw new Error(`The suite lists no client scenario:\n${output}`);
	for (const { scenarios } of leftOut) {
		if (listed.every(({ name }) => !name.startsWith(scenarios)))
			throw new Error(`"${scenarios}" is left out, but the suite has no such scenario.`);
	}
	return listed;
}

function scenarioOf(name: string, versions: readonly string[]): Scenario {
	if (versions.every((version) => !SUPPORTED_PROTOCOL_VERSIONS.includes(version)))
		return { name, leftOut: `For ${versions.join(', ')}, no version that the SDK speaks` };
	const row = leftOut.find(({ scenarios }) => name.startsWith(scenarios));
	return row === undefined ? { name } : { name, leftOut: row.why };
}
