/**
 * The client that the official suite examines: this package's own session, opened and used as the nodes do it.
 * The suite gives the server's URL as the last argument and the scenario in MCP_CONFORMANCE_SCENARIO.
 */
import type { ConnectionSettings } from '../../../src/call/connectionSettings';
import type { McpSession } from '../../../src/call/session';
import { openSession } from '../../../src/mcp/openSession';
import type { Result } from '../../../src/outcome/failure';

/** The arguments for the tools that the suite's servers list. */
const argumentsOf: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
	add_numbers: { a: 5, b: 3 },
	test_reconnection: {},
	test_client_elicitation_defaults: {},
};

const settings: ConnectionSettings = {
	transport: {
		kind: 'streamableHttp',
		endpoint: process.argv.at(-1) ?? '',
		headers: [],
		ignoreSslIssues: false,
	},
	requestTimeoutMs: 10_000,
	maxDurationMs: 20_000,
};

const session = valueOf(await openSession({ env: {} })(settings));
try {
	await useTools(session);
} finally {
	await session.close();
}

async function useTools(session: McpSession): Promise<void> {
	for (const { name } of valueOf(await session.listTools())) {
		const values = argumentsOf[name];
		if (values === undefined) throw new Error(`No arguments are known for the tool "${name}".`);
		const result = valueOf(await session.callTool({ name, arguments: values }));
		console.log(`${name}: ${JSON.stringify(result)}`);
	}
}

function valueOf<T>(result: Result<T>): T {
	if (!result.ok) throw new Error(JSON.stringify(result.failure));
	return result.value;
}
