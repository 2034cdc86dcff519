import path from 'node:path';
import type { Json } from '../../../scripts/host/json.ts';
import type { CredentialReference, N8nRest } from '../../../scripts/host/n8nRest.ts';
import { nodeProgram } from '../../../scripts/host/paths.ts';
import { stdioCommands } from '../../../scripts/host/stdioCommands.ts';
import type { AllowedCommand } from '../../../scripts/host/stdioCommands.ts';
import { jsonCall } from '../calls.ts';
import { nothing, toolCall, webhookTrigger, workflow } from '../workflow.ts';
import type { NodeSpec } from '../workflow.ts';
import { connectionNames, isOwn } from './drawCase.ts';
import type { ConnectionName, NodeSetting } from './drawCase.ts';
import { connectionHeader } from './httpServer.ts';

export const serverFile = path.join(import.meta.dirname, 'stdioServer.ts');

/** The idle limit of a call, which no server that answers ever comes near. */
const REQUEST_TIMEOUT_SECONDS = 6;

const direct: AllowedCommand = [nodeProgram, serverFile];
/** The shell stays, as it has to say how the server ended, and what it starts beside holds the server's pipes. */
const inShell = (flag: string): AllowedCommand => [
	'sh',
	'-c',
	`sleep 86400 & '${nodeProgram}' '${serverFile}' ${flag}; exit $?`,
];

const COMMANDS = {
	stdio: direct,
	'stdio own': direct,
	sh: inShell('--tame'),
	'sh own': inShell('--deaf'),
} as const satisfies Partial<Record<ConnectionName, AllowedCommand>>;

/** What n8n may start, for its environment. */
export const allowed = stdioCommands(Object.values(COMMANDS));

/** How the servers are told apart in the list of processes: what every process of theirs has in its environment. */
export const markVariable = 'SOAK_MARK';
export const connectionVariable = 'SOAK_CONNECTION';

export interface SoakPlace {
	readonly endpoint: string;
	/** Where servers over stdio ask. */
	readonly control: string;
	/** Unique to this soak. */
	readonly mark: string;
}

/** Active workflows, one for each connection and setting of the node: the path of its trigger, and its id. */
export interface SoakWorkflow {
	readonly id: string;
	readonly path: string;
}

export type SoakWorkflows = (connection: ConnectionName, setting: NodeSetting) => SoakWorkflow;

/** Passed when n8n looks for the first time. */
const AT_ONCE = { values: { amount: 1 / 60, unit: 'minutes', onExpiry: 'continue' } };
export const settings: readonly NodeSetting[] = ['stops', 'goes on', 'expires'];

/** Stores the credentials and the workflows of a soak, and activates these. */
export async function storeWorkflows(rest: N8nRest, place: SoakPlace): Promise<SoakWorkflows> {
	const stored = new Map<string, SoakWorkflow>();
	for (const connection of connectionNames) {
		const credential = await rest.createCredential({
			name: connection,
			type: 'mcpConnectionApi',
			data: credentialData(connection, place),
		});
		for (const setting of settings) {
			const key = `${connection} ${setting}`;
			const hook = `soak-${key.replaceAll(' ', '-')}`;
			const { id } = await rest.createWorkflow(soakWorkflow(hook, credential, setting));
			await rest.activate(id);
			stored.set(key, { id, path: hook });
		}
	}
	return (connection, setting) => {
		const found = stored.get(`${connection} ${setting}`);
		if (found === undefined) throw new Error(`There is no workflow for ${connection}, ${setting}.`);
		return found;
	};
}

/** A webhook that is answered with the execution's id, one item for each call in its body, and the call node. */
function soakWorkflow(hook: string, credential: CredentialReference, setting: NodeSetting) {
	const respond: NodeSpec = {
		name: 'Respond',
		type: 'n8n-nodes-base.respondToWebhook',
		typeVersion: 1.4,
		parameters: { respondWith: 'text', responseBody: '={{ $execution.id }}', options: {} },
	};
	const split: NodeSpec = {
		name: 'Items',
		type: 'n8n-nodes-base.splitOut',
		parameters: { fieldToSplitOut: 'body.calls', options: {} },
	};
	const options = setting === 'expires' ? { limitWait: AT_ONCE } : {};
	const call = toolCall(
		credential,
		jsonCall('={{ $json.tool }}', '={{ JSON.stringify($json.given) }}', options),
		setting === 'stops' ? {} : { onError: 'continueRegularOutput' },
	);
	return workflow([webhookTrigger(hook, 'responseNode'), respond, split, call, nothing()]);
}

function credentialData(connection: ConnectionName, place: SoakPlace): Json {
	const keyed = ['charge', 'put_once'].map((name) => ({
		name,
		effect: 'server',
		access: 'allowed',
		idempotencyKey: 'reference',
	}));
	const common = {
		serverName: 'soak',
		requestTimeout: REQUEST_TIMEOUT_SECONDS,
		session: isOwn(connection) ? 'perExecution' : 'shared',
		toolPolicies: { tool: keyed },
	};
	const rows = (values: Readonly<Record<string, string>>) =>
		Object.entries(values).map(([name, value]) => ({ name, value }));
	switch (connection) {
		case 'http':
		case 'http by tenant':
		case 'http own': {
			const tenant = connection === 'http by tenant' ? { 'x-tenant': '={{ $json.tenant }}' } : {};
			return {
				...common,
				transport: 'streamableHttp',
				endpoint: place.endpoint,
				headers: { header: rows({ [connectionHeader]: connection, ...tenant }) },
			};
		}
		case 'stdio':
		case 'stdio own':
		case 'sh':
		case 'sh own': {
			const [command, ...args] = COMMANDS[connection];
			return {
				...common,
				transport: 'stdio',
				command,
				arguments: { argument: args.map((value) => ({ value })) },
				environment: {
					variable: rows({
						SOAK_CONTROL: place.control,
						[connectionVariable]: connection,
						[markVariable]: place.mark,
					}),
				},
			};
		}
	}
}
