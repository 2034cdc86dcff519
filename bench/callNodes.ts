import type { Json } from '../scripts/host/json.ts';
import type { CredentialReference, N8nRest } from '../scripts/host/n8nRest.ts';
import { jsonCall } from '../test/support/calls.ts';
import { toolCall } from '../test/support/workflow.ts';
import type { NodeSpec } from '../test/support/workflow.ts';
import type { Peer } from './rawCalls.ts';

export type Transport = Peer['kind'];

/** What a node is to do with each of its items. */
export interface CallSpec {
	readonly transport: Transport;
	readonly tool: 'read' | 'write';
	/** How many calls may be in flight, where the node can do more than one. */
	readonly atOnce: number;
	/** Over a connection that stays, where the node can keep one. */
	readonly isWarm: boolean;
	/** The arguments as the field holds them. */
	readonly arguments: string;
}

/** The nodes that are compared, each named `Call`. */
export interface CallNodes {
	readonly salvor: (spec: CallSpec) => NodeSpec;
	/** Over HTTP only. */
	readonly n8n: (spec: CallSpec) => NodeSpec;
	/** Makes one call, for its first item. */
	readonly community: (spec: CallSpec) => NodeSpec;
	/** Evaluates the arguments and makes no call. */
	readonly expression: (spec: CallSpec) => NodeSpec;
}

/** Stores the credentials that the nodes need. */
export async function openCallNodes(
	rest: N8nRest,
	endpoint: string,
	stdio: Readonly<Record<'salvor' | 'community', readonly [string, ...string[]]>>,
): Promise<CallNodes> {
	const store = async (type: string, data: Json): Promise<CredentialReference> =>
		await rest.createCredential({ name: `Bench ${type}`, type, data });
	const [command, ...args] = stdio.salvor;
	const transports = {
		http: { transport: 'streamableHttp', endpoint },
		stdio: {
			transport: 'stdio',
			command,
			arguments: { argument: args.map((value) => ({ value })) },
		},
	};
	const ours = async (transport: Transport, session: 'shared' | 'perExecution') =>
		await store('mcpConnectionApi', {
			...transports[transport],
			session,
			serverName: 'bench',
			toolPolicies: {
				tool: ['read', 'write'].map((name) => ({ name, effect: name, access: 'allowed' })),
			},
		});
	const kept = { http: await ours('http', 'shared'), stdio: await ours('stdio', 'shared') };
	const own = {
		http: await ours('http', 'perExecution'),
		stdio: await ours('stdio', 'perExecution'),
	};
	const [program, ...rawArgs] = stdio.community;
	const theirs = {
		http: { mcpClientHttpApi: await store('mcpClientHttpApi', { httpStreamUrl: endpoint }) },
		stdio: {
			mcpClientApi: await store('mcpClientApi', { command: program, args: rawArgs.join(' ') }),
		},
	};
	return {
		salvor: ({ transport, tool, atOnce, isWarm, arguments: given }) =>
			toolCall((isWarm ? kept : own)[transport], jsonCall(tool, given, { concurrency: atOnce })),
		n8n: ({ tool, arguments: given }) => ({
			name: 'Call',
			type: '@n8n/n8n-nodes-langchain.mcpClient',
			typeVersion: 1.1,
			parameters: {
				serverTransport: 'httpStreamable',
				endpointUrl: endpoint,
				authentication: 'none',
				tool: { __rl: true, mode: 'id', value: tool },
				inputMode: 'json',
				jsonInput: given,
				options: {},
			},
		}),
		community: ({ transport, tool, arguments: given }) => ({
			name: 'Call',
			type: 'n8n-nodes-mcp.mcpClient',
			parameters: {
				connectionType: transport === 'http' ? 'http' : 'cmd',
				operation: 'executeTool',
				toolName: tool,
				toolParameters: given,
			},
			credentials: theirs[transport],
		}),
		expression: ({ arguments: given }) => ({
			name: 'Call',
			type: 'n8n-nodes-base.set',
			typeVersion: 3.4,
			parameters: { mode: 'raw', jsonOutput: given, options: {} },
		}),
	};
}
