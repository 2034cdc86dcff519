import { readExecution, readStatus } from './executionData.ts';
import type { Execution, ExecutionStatus } from './executionData.ts';
import { asArray, asJson, isJson, optionalText, text } from './json.ts';
import type { Json } from './json.ts';
import type {
	CredentialReference,
	EditorRequest,
	N8nRest,
	Owner,
	StoredCredential,
	StoredWorkflow,
} from './restContract.ts';
import { until } from './until.ts';

export type * from './restContract.ts';

const FINAL: readonly ExecutionStatus[] = ['success', 'error', 'canceled', 'crashed'];
const RUN_TIMEOUT_MS = 60_000;
const PUBLICATION_TIMEOUT_MS = 20_000;

/** A client for the n8n at `baseUrl`, signed in when it is given a session's cookie. */
export function n8nRest(baseUrl: string, sessionCookie?: string): N8nRest {
	let cookie = sessionCookie;

	const send = async (method: string, path: string, body?: unknown): Promise<unknown> => {
		const response = await fetch(`${baseUrl}${path}`, {
			method,
			headers: {
				...(cookie === undefined ? {} : { cookie }),
				...(body === undefined ? {} : { 'content-type': 'application/json' }),
			},
			...(body === undefined ? {} : { body: JSON.stringify(body) }),
		});
		const answer = await response.text();
		if (!response.ok) {
			const message = messageOf(answer);
			throw new Error(`n8n answered ${String(response.status)} to ${method} ${path}: ${message}`);
		}
		const session = response.headers.getSetCookie().find((entry) => entry.startsWith('n8n-auth='));
		if (session !== undefined) cookie = session.split(';')[0];
		return answer === '' ? undefined : JSON.parse(answer);
	};
	const rest = async (method: string, path: string, body?: unknown): Promise<unknown> =>
		asJson(await send(method, `/rest${path}`, body), `The answer to ${path}`).data;

	const workflow = async (id: string) => readWorkflow(await rest('GET', `/workflows/${id}`));
	const execution = async (id: string) => readExecution(await rest('GET', `/executions/${id}`));
	const storedCredential = async (id: string): Promise<StoredCredential> => {
		const row = asJson(await rest('GET', `/credentials/${id}?includeData=true`), 'The credential');
		return { ...readReference(row), type: text(row, 'type'), data: asJson(row.data, 'Its data') };
	};
	const listCredentials = async () =>
		asArray(await rest('GET', '/credentials'), 'The credentials').map(readReference);
	const setupOwner = async ({ email, password }: Owner) => {
		const names = { firstName: 'Demo', lastName: 'Owner' };
		await rest('POST', '/owner/setup', { email, password, ...names });
	};
	const login = async ({ email, password }: Owner) => {
		await rest('POST', '/login', { emailOrLdapLoginId: email, password });
	};
	/** n8n registers and removes triggers after it has answered. */
	const published = async (id: string, wanted: string) => {
		let status = '';
		await until(
			async () => {
				const answer = await rest('GET', `/workflows/${id}/publication-status`);
				status = text(asJson(answer, 'The publication'), 'status');
				if (status === 'failed' || status === 'partial') {
					throw new Error(`A trigger of the workflow ${id} could not be registered.`);
				}
				return status === wanted ? true : undefined;
			},
			PUBLICATION_TIMEOUT_MS,
			() => `The workflow ${id} is ${status} instead of ${wanted}`,
		);
	};
	const hasOwner = async () => {
		const settings = asJson(await rest('GET', '/settings'), 'The settings');
		const management = asJson(settings.userManagement, 'The user management');
		return management.showSetupOnFirstLoad !== true;
	};
	const editorCall = async (path: string, request: EditorRequest, more: Json = {}) =>
		asJson(
			await rest('POST', `/dynamic-node-parameters/${path}`, {
				path: `parameters.${request.parameter}`,
				nodeTypeAndVersion: { name: request.nodeType, version: request.version ?? 1 },
				methodName: request.method,
				currentNodeParameters: request.parameters,
				...(request.credentials === undefined ? {} : { credentials: request.credentials }),
				...more,
			}),
			'The answer',
		);

	return {
		baseUrl,
		cookie: () => cookie,
		answers: async () => {
			try {
				const response = await fetch(`${baseUrl}/rest/login`);
				return (response.headers.get('content-type') ?? '').includes('json');
			} catch {
				return false;
			}
		},
		setupOwner,
		login,
		hasOwner,
		signIn: async (owner) => {
			if (await hasOwner()) await login(owner);
			else await setupOwner(owner);
		},
		nodeTypes: async () =>
			asArray(await send('GET', '/types/nodes.json'), 'The node types').map((type) =>
				text(asJson(type, 'A node type'), 'name'),
			),

		createCredential: async (spec) => readReference(await rest('POST', '/credentials', spec)),
		updateCredential: async (id, spec) => {
			await rest('PATCH', `/credentials/${id}`, spec);
		},
		credential: async (id) =>
			(await listCredentials()).some((entry) => entry.id === id)
				? await storedCredential(id)
				: undefined,
		listCredentials,
		testCredential: async (of) => {
			const credentials = typeof of === 'string' ? await storedCredential(of) : { id: '', ...of };
			const verdict = asJson(
				await rest('POST', '/credentials/test', { credentials }),
				'The verdict',
			);
			return { status: text(verdict, 'status'), message: text(verdict, 'message') };
		},
		authorizationUrl: async (id) => {
			const url = await rest('GET', `/oauth2-credential/auth?id=${id}`);
			if (typeof url !== 'string') throw new Error('n8n gave no address to authorize at.');
			return url;
		},

		createWorkflow: async (spec) => {
			const body = { settings: { executionOrder: 'v1' }, ...spec };
			return readWorkflow(await rest('POST', '/workflows', body));
		},
		updateWorkflow: async (id, spec) => {
			const { versionId } = await workflow(id);
			return readWorkflow(await rest('PATCH', `/workflows/${id}`, { ...spec, versionId }));
		},
		workflow,
		listWorkflows: async () =>
			asArray(await rest('GET', '/workflows'), 'The workflows').map(readReference),
		activate: async (id) => {
			const { versionId } = await workflow(id);
			await rest('POST', `/workflows/${id}/activate`, { versionId });
			await published(id, 'published');
		},
		deactivate: async (id) => {
			await rest('POST', `/workflows/${id}/deactivate`, {});
			await published(id, 'not_published');
		},

		runManually: async (id, run = {}) => {
			const start = run.runData
				? { runData: run.runData }
				: { triggerToStartFrom: { name: run.trigger ?? firstTrigger(await workflow(id)) } };
			const destination =
				run.destination === undefined
					? {}
					: { destinationNode: { nodeName: run.destination, mode: 'inclusive' } };
			const body = { ...start, ...destination };
			const answer = asJson(await rest('POST', `/workflows/${id}/run`, body), 'The answer');
			return String(answer.executionId);
		},
		execution,
		waitForExecution: async (id, statuses, timeoutMs = RUN_TIMEOUT_MS) => {
			let last: Execution | undefined;
			return await until(
				async () => {
					last = await execution(id);
					if (statuses.includes(last.status)) return last;
					if (FINAL.includes(last.status)) throw new Error(ended(last, statuses));
					return undefined;
				},
				timeoutMs,
				() =>
					`Execution ${id} did not become ${statuses.join(' or ')}, it is ${String(last?.status)}`,
			);
		},
		stopExecution: async (id) => {
			await rest('POST', `/executions/${id}/stop`);
		},
		deleteExecution: async (id) => {
			await rest('POST', '/executions/delete', { ids: [id] });
		},
		retryExecution: async (id, loadWorkflow = false) => {
			const retried = await rest('POST', `/executions/${id}/retry`, { loadWorkflow });
			return text(asJson(retried, 'The new execution'), 'id');
		},
		listExecutions: async (workflowId) => {
			const filter = workflowId === undefined ? '{}' : JSON.stringify({ workflowId });
			const query = `filter=${encodeURIComponent(filter)}&limit=100`;
			const page = asJson(await rest('GET', `/executions?${query}`), 'The page');
			return asArray(page.results, 'The executions').map((entry) => {
				const row = asJson(entry, 'An execution');
				const status = readStatus(row.status);
				return { id: String(row.id), status, workflowId: String(row.workflowId) };
			});
		},
		countExecutions: async (workflowId, status) => {
			const filter = encodeURIComponent(JSON.stringify({ workflowId, status: [status] }));
			const page = asJson(await rest('GET', `/executions?filter=${filter}&limit=1`), 'The page');
			if (page.estimated === true) throw new Error('n8n only estimates the number of executions.');
			return Number(page.count);
		},
		resumeUrl: async (id) => {
			const { resumeToken } = await execution(id);
			if (resumeToken === undefined) throw new Error(`Execution ${id} has no resume token.`);
			return `${baseUrl}/webhook-waiting/${id}?signature=${resumeToken}`;
		},
		webhookUrl: (path) => `${baseUrl}/webhook/${path}`,

		resourceLocatorResults: async (request, filter) =>
			await editorCall('resource-locator-results', request, filter === undefined ? {} : { filter }),
		resourceMapperFields: async (request) => await editorCall('resource-mapper-fields', request),
	};
}

function readReference(value: unknown): CredentialReference {
	const row = asJson(value, 'The entry');
	return { id: text(row, 'id'), name: text(row, 'name') };
}

function readWorkflow(value: unknown): StoredWorkflow {
	const row = asJson(value, 'The workflow');
	return {
		id: text(row, 'id'),
		name: text(row, 'name'),
		active: row.active === true,
		versionId: text(row, 'versionId'),
		nodes: asArray(row.nodes, 'Its nodes').map((node) => asJson(node, 'A node')),
		connections: asJson(row.connections, 'Its connections'),
		settings: isJson(row.settings) ? row.settings : {},
	};
}

function firstTrigger(workflow: StoredWorkflow): string {
	const trigger = workflow.nodes.find((node) => /Trigger$|\.webhook$/.test(text(node, 'type')));
	if (trigger === undefined) throw new Error(`The workflow "${workflow.name}" has no trigger.`);
	return text(trigger, 'name');
}

function ended(execution: Execution, wanted: readonly ExecutionStatus[]): string {
	const error = execution.error === undefined ? '' : `: ${execution.error.message}`;
	const at = execution.lastNode === undefined ? '' : ` at "${execution.lastNode}"`;
	return `Execution ${execution.id} ended with ${execution.status}${at} instead of ${wanted.join(' or ')}${error}`;
}

function messageOf(answer: string): string {
	try {
		const body: unknown = JSON.parse(answer);
		return (isJson(body) ? optionalText(body, 'message') : undefined) ?? answer.slice(0, 500);
	} catch {
		return answer.slice(0, 500);
	}
}
