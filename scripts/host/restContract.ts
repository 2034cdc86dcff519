import type { Execution, ExecutionStatus } from './executionData.ts';
import type { Json } from './json.ts';

export interface Owner {
	readonly email: string;
	readonly password: string;
}

export interface CredentialSpec {
	readonly name: string;
	readonly type: string;
	readonly data: Json;
}

export interface CredentialReference {
	readonly id: string;
	readonly name: string;
}

export interface StoredCredential extends CredentialReference {
	readonly type: string;
	/** Masked values arrive as n8n's placeholders, which it fills in when they come back. */
	readonly data: Json;
}

export interface WorkflowSpec {
	readonly name: string;
	readonly nodes: readonly Json[];
	readonly connections: Json;
	readonly settings?: Json;
	readonly pinData?: Json;
}

export interface StoredWorkflow {
	readonly id: string;
	readonly name: string;
	readonly active: boolean;
	readonly versionId: string;
	readonly nodes: readonly Json[];
	readonly connections: Json;
	readonly settings: Json;
}

export interface ManualRun {
	/** The trigger to start from; the workflow's first one when absent. */
	readonly trigger?: string;
	/** The last node to run. */
	readonly destination?: string;
	/** Results of an earlier run to start from, as n8n stores them; wants a destination. */
	readonly runData?: Json;
}

/** What the editor sends when it asks a node for a list or for fields. */
export interface EditorRequest {
	/** The full type name, such as `n8n-nodes-salvor.mcpToolCall`. */
	readonly nodeType: string;
	readonly version?: number;
	/** The name of the node's method. */
	readonly method: string;
	/** The parameter that asks, such as `tool`. */
	readonly parameter: string;
	readonly parameters: Json;
	readonly credentials?: Readonly<Record<string, CredentialReference>>;
}

export interface ListedExecution {
	readonly id: string;
	readonly status: ExecutionStatus;
	readonly workflowId: string;
}

export interface CredentialVerdict {
	readonly status: string;
	readonly message: string;
}

/** Asks n8n over the interface that its editor uses. Anything but success throws. */
export interface N8nRest {
	readonly baseUrl: string;
	/** The session's cookie, for a client of another address of the same n8n. */
	readonly cookie: () => string | undefined;
	/** Whether n8n answers requests already. */
	readonly answers: () => Promise<boolean>;
	/** Makes the owner account, which a new n8n lacks, and signs in. */
	readonly setupOwner: (owner: Owner) => Promise<void>;
	readonly login: (owner: Owner) => Promise<void>;
	readonly hasOwner: () => Promise<boolean>;
	/** Signs in, making the owner account first when this n8n has none. */
	readonly signIn: (owner: Owner) => Promise<void>;
	/** The type names of all nodes that n8n loaded. */
	readonly nodeTypes: () => Promise<readonly string[]>;

	readonly createCredential: (spec: CredentialSpec) => Promise<CredentialReference>;
	readonly updateCredential: (id: string, spec: CredentialSpec) => Promise<void>;
	readonly credential: (id: string) => Promise<StoredCredential | undefined>;
	readonly listCredentials: () => Promise<readonly CredentialReference[]>;
	/** Presses Test: for a credential that is not stored, or for a stored one by its id. */
	readonly testCredential: (of: CredentialSpec | string) => Promise<CredentialVerdict>;
	/** The address where a person lets n8n have an access token for an OAuth2 credential. */
	readonly authorizationUrl: (credentialId: string) => Promise<string>;

	readonly createWorkflow: (spec: WorkflowSpec) => Promise<StoredWorkflow>;
	readonly updateWorkflow: (id: string, spec: Partial<WorkflowSpec>) => Promise<StoredWorkflow>;
	readonly workflow: (id: string) => Promise<StoredWorkflow>;
	readonly listWorkflows: () => Promise<readonly CredentialReference[]>;
	/** Resolves when its triggers are registered. */
	readonly activate: (workflowId: string) => Promise<void>;
	readonly deactivate: (workflowId: string) => Promise<void>;

	/** Runs a stored workflow as the editor does; resolves with the execution's id at once. */
	readonly runManually: (workflowId: string, run?: ManualRun) => Promise<string>;
	readonly execution: (id: string) => Promise<Execution>;
	/** Waits for one of `statuses`; throws when the execution ends in another. */
	readonly waitForExecution: (
		id: string,
		statuses: readonly ExecutionStatus[],
		timeoutMs?: number,
	) => Promise<Execution>;
	readonly stopExecution: (id: string) => Promise<void>;
	/** Removes what n8n keeps of an execution, waiting or finished. */
	readonly deleteExecution: (id: string) => Promise<void>;
	/** Runs a finished execution again; resolves with the new one's id. */
	readonly retryExecution: (id: string, loadWorkflow?: boolean) => Promise<string>;
	readonly listExecutions: (workflowId?: string) => Promise<readonly ListedExecution[]>;
	/** How many of a workflow's executions have this status just now. */
	readonly countExecutions: (workflowId: string, status: ExecutionStatus) => Promise<number>;
	/** The address, with its token, that resumes a waiting execution. */
	readonly resumeUrl: (executionId: string) => Promise<string>;
	/** The address of a webhook trigger of an active workflow. */
	readonly webhookUrl: (path: string) => string;

	/** The entries that a resource locator shows. */
	readonly resourceLocatorResults: (request: EditorRequest, filter?: string) => Promise<Json>;
	/** The fields that a resource mapper shows. */
	readonly resourceMapperFields: (request: EditorRequest) => Promise<Json>;
}
