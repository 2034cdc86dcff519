import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { demoSigningKey } from './demoServer.ts';
import { asArray, asJson, isJson, text } from './json.ts';
import type { Json } from './json.ts';
import type { CredentialReference, CredentialSpec, N8nRest, WorkflowSpec } from './n8nRest.ts';
import { exampleWorkflowsFolder } from './paths.ts';
import { demoServerCommand } from './stdioCommands.ts';

export const credentialType = 'mcpConnectionApi';
export const httpCredentialName = 'Demo server (HTTP)';
export const stdioCredentialName = 'Demo server (stdio)';

/** The account that `npm start` prepares. n8n listens on this machine only. */
export const demoOwner = { email: 'owner@example.com', password: 'Salvor-demo-1' };

/** What was put into an n8n before, so that a later start leaves the user's changes alone. */
interface ImportRecord {
	readonly credentials: Readonly<Record<string, { readonly id: string; readonly data: Json }>>;
	/** The id of each imported workflow, by the example's file name. */
	readonly workflows: Readonly<Record<string, string>>;
}

export interface DemoContents {
	/** The ids of the example workflows, by file name. */
	readonly workflows: Readonly<Record<string, string>>;
	readonly credentials: readonly CredentialReference[];
}

export interface DemoConnection {
	readonly endpoint: string;
	readonly effectsFile: string;
}

/**
 * Puts the demo's credentials and the example workflows into n8n, each once: what `recordFile` says
 * was put there before is not put there again, even when the user renamed, changed or deleted it.
 * A credential that still holds what was put there follows the demo server to a new address.
 */
export async function importDemoContents(
	rest: N8nRest,
	connection: DemoConnection,
	recordFile: string,
): Promise<DemoContents> {
	const before = await readRecord(recordFile);
	const credentials: Record<string, { readonly id: string; readonly data: Json }> = {};
	for (const spec of demoCredentials(connection)) {
		const known = before.credentials[spec.name];
		credentials[spec.name] = { id: await putCredential(rest, spec, known), data: spec.data };
	}
	const references = Object.entries(credentials).map(([name, { id }]) => ({ id, name }));

	const workflows: Record<string, string> = { ...before.workflows };
	const examples = await exampleWorkflows();
	const nameOf = new Map(examples.map(([file, { name }]) => [file, name]));
	for (const [file, workflow] of calledFirst(examples)) {
		if (workflows[file] !== undefined) continue;
		const known = Object.entries(workflows).map(([imported, id]) => ({
			id,
			name: nameOf.get(imported) ?? '',
		}));
		const spec = withInbox(
			withCalled(withCredentials(workflow, references), known),
			connection.endpoint,
		);
		workflows[file] = (await rest.createWorkflow(spec)).id;
	}
	const record: ImportRecord = { credentials, workflows };
	await writeFile(recordFile, `${JSON.stringify(record, null, '\t')}\n`);
	return { workflows, credentials: references };
}

/** The credentials of the demo: the same server over HTTP and over stdio. */
export function demoCredentials(connection: DemoConnection): readonly CredentialSpec[] {
	const [command, ...args] = demoServerCommand;
	return [
		{
			name: httpCredentialName,
			type: credentialType,
			data: {
				transport: 'streamableHttp',
				endpoint: connection.endpoint,
				serverName: 'demo',
				shareResumeUrl: true,
				signingKey: demoSigningKey,
			},
		},
		{
			name: stdioCredentialName,
			type: credentialType,
			data: {
				transport: 'stdio',
				command,
				arguments: { argument: args.map((value) => ({ value })) },
				environment: {
					variable: [
						{ name: 'DEMO_EFFECTS_FILE', value: connection.effectsFile },
						{ name: 'DEMO_PROVENANCE_KEY', value: demoSigningKey },
					],
				},
				serverName: 'demo',
				shareResumeUrl: true,
				signingKey: demoSigningKey,
			},
		},
	];
}

/** The example workflows by file name, in the order of their names. */
export async function exampleWorkflows(): Promise<readonly (readonly [string, WorkflowSpec])[]> {
	const files = (await readdir(exampleWorkflowsFolder)).filter((name) => name.endsWith('.json'));
	return await Promise.all(
		files.sort().map(async (file) => {
			const source: unknown = JSON.parse(
				await readFile(path.join(exampleWorkflowsFolder, file), 'utf8'),
			);
			const { nodes, connections, settings, name } = asJson(source, file);
			const workflow: WorkflowSpec = {
				name: String(name),
				nodes: asArray(nodes, `The nodes of ${file}`).map((node) => asJson(node, 'A node')),
				connections: asJson(connections, `The connections of ${file}`),
				...(isJson(settings) ? { settings } : {}),
			};
			return [file, workflow] as const;
		}),
	);
}

/** The workflow with the ids of the credentials that its nodes refer to by name. */
export function withCredentials(
	workflow: WorkflowSpec,
	known: readonly CredentialReference[],
): WorkflowSpec {
	const filledIn = (reference: unknown) => {
		const name = text(asJson(reference, 'A credential'), 'name');
		const found = known.find((entry) => entry.name === name);
		if (found === undefined) throw new Error(`There is no credential named "${name}".`);
		return found;
	};
	const nodes = workflow.nodes.map((node) =>
		isJson(node.credentials)
			? {
					...node,
					credentials: Object.fromEntries(
						Object.entries(node.credentials).map(([type, ref]) => [type, filledIn(ref)]),
					),
				}
			: node,
	);
	return { ...workflow, nodes };
}

/** The workflows that call none of the others, and then those that do. */
const calledFirst = (examples: readonly (readonly [string, WorkflowSpec])[]) =>
	[...examples].sort(([, a], [, b]) => callsOf(a).length - callsOf(b).length);

const callsOf = ({ nodes }: WorkflowSpec): readonly Json[] => nodes.flatMap(onParkOf);

/** What the option On Park Workflow of a node holds, if it is there. */
function onParkOf({ parameters }: Json): readonly Json[] {
	const options = isJson(parameters) && isJson(parameters.options) ? parameters.options : {};
	return isJson(options.onParkWorkflow) ? [options.onParkWorkflow] : [];
}

/** The workflow with the ids of the workflows that its nodes refer to by name. */
function withCalled(
	workflow: WorkflowSpec,
	known: readonly { readonly id: string; readonly name: string }[],
): WorkflowSpec {
	const nodes = workflow.nodes.map((node) => {
		const [reference] = onParkOf(node);
		if (reference === undefined) return node;
		const name = text(reference, 'cachedResultName');
		const value = known.find((entry) => entry.name === name)?.id;
		if (value === undefined) throw new Error(`There is no workflow named "${name}".`);
		const parameters = asJson(node.parameters, 'The parameters');
		const options = asJson(parameters.options, 'The options');
		const onParkWorkflow = { ...reference, value };
		return { ...node, parameters: { ...parameters, options: { ...options, onParkWorkflow } } };
	});
	return { ...workflow, nodes };
}

/** The address of the demo server's inbox, as the examples state it. */
const STATED_INBOX = 'http://127.0.0.1:5690/inbox';

/** The workflow with the inbox where this demo server has it. */
function withInbox(workflow: WorkflowSpec, endpoint: string): WorkflowSpec {
	const nodes = JSON.stringify(workflow.nodes).replaceAll(STATED_INBOX, inboxOf(endpoint));
	return {
		...workflow,
		nodes: asArray(JSON.parse(nodes), 'The nodes').map((node) => asJson(node, 'A node')),
	};
}

/** The demo server's inbox, by the address of its MCP endpoint. */
export const inboxOf = (endpoint: string): string => new URL('/inbox', endpoint).href;

async function putCredential(
	rest: N8nRest,
	spec: CredentialSpec,
	known: { readonly id: string; readonly data: Json } | undefined,
): Promise<string> {
	if (known === undefined) return (await rest.createCredential(spec)).id;
	const moved = Object.entries(spec.data).filter(
		([field, value]) => JSON.stringify(value) !== JSON.stringify(known.data[field]),
	);
	if (moved.length === 0) return known.id;
	const current = await rest.credential(known.id);
	if (current !== undefined && addressOf(current.data) === addressOf(known.data)) {
		await rest.updateCredential(known.id, {
			...current,
			data: { ...current.data, ...Object.fromEntries(moved) },
		});
	}
	return known.id;
}

/** What says where the server is; masked values are left out. */
function addressOf({ transport, endpoint, command, arguments: args }: Json): string {
	return JSON.stringify({ transport, endpoint, command, args });
}

async function readRecord(file: string): Promise<ImportRecord> {
	if (!existsSync(file)) return { credentials: {}, workflows: {} };
	const stored = asJson(JSON.parse(await readFile(file, 'utf8')), file);
	return {
		credentials: Object.fromEntries(
			Object.entries(asJson(stored.credentials, 'The credentials')).map(([name, entry]) => {
				const { id, data } = asJson(entry, name);
				return [name, { id: String(id), data: asJson(data, name) }];
			}),
		),
		workflows: Object.fromEntries(
			Object.entries(asJson(stored.workflows, 'The workflows')).map(([file, id]) => [
				file,
				String(id),
			]),
		),
	};
}
