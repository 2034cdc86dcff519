import { asArray, asJson, isJson, optionalText } from './json.ts';
import type { Json } from './json.ts';

export const executionStatuses = [
	'new',
	'running',
	'waiting',
	'success',
	'error',
	'canceled',
	'crashed',
	'unknown',
] as const;

export type ExecutionStatus = (typeof executionStatuses)[number];

export interface Item {
	readonly json: Json;
	readonly binary?: Json;
	readonly pairedItem?: unknown;
	readonly error?: unknown;
}

export interface HostError {
	readonly message: string;
	readonly description?: string;
	readonly name?: string;
	/** The error as n8n stored it. */
	readonly raw: Json;
}

/** One run of a node: what left it, by output, and what went wrong. */
export interface NodeRun {
	readonly status?: string;
	readonly startedAt?: Date;
	readonly tookMs?: number;
	readonly outputs: readonly (readonly Item[])[];
	/** What left it by connections of other types, such as `ai_tool`. */
	readonly otherOutputs: Readonly<Record<string, readonly (readonly Item[])[]>>;
	readonly error?: HostError;
	readonly hints: readonly unknown[];
}

export interface Execution {
	readonly id: string;
	readonly status: ExecutionStatus;
	readonly mode: string;
	readonly workflowId: string;
	readonly startedAt?: Date;
	readonly stoppedAt?: Date;
	/** When n8n wakes it; absent unless it waits. */
	readonly waitTill?: Date;
	/** The token in the address that resumes it. */
	readonly resumeToken?: string;
	readonly error?: HostError;
	readonly lastNode?: string;
	/** The runs of each node, by its name. */
	readonly runData: Readonly<Record<string, readonly NodeRun[]>>;
}

/** Reads an execution as `GET /rest/executions/:id` gives it; throws when it looks otherwise. */
export function readExecution(body: unknown): Execution {
	const row = asJson(body, 'The execution');
	// An execution that has just begun has no data yet.
	const stored = typeof row.data === 'string' ? unflatten(row.data) : undefined;
	const data = isJson(stored) ? stored : {};
	const result = isJson(data.resultData) ? data.resultData : {};
	const error = readError(result.error);
	const resumeToken = optionalText(data, 'resumeToken');
	const lastNode = optionalText(result, 'lastNodeExecuted');
	const runData = isJson(result.runData) ? result.runData : {};
	return {
		id: String(row.id),
		status: readStatus(row.status),
		mode: String(row.mode),
		workflowId: String(row.workflowId),
		...(typeof row.startedAt === 'string' ? { startedAt: new Date(row.startedAt) } : {}),
		...(typeof row.stoppedAt === 'string' ? { stoppedAt: new Date(row.stoppedAt) } : {}),
		...(typeof row.waitTill === 'string' ? { waitTill: new Date(row.waitTill) } : {}),
		...(resumeToken === undefined ? {} : { resumeToken }),
		...(error === undefined ? {} : { error }),
		...(lastNode === undefined ? {} : { lastNode }),
		runData: Object.fromEntries(
			Object.entries(runData).map(([node, runs]) => [
				node,
				asArray(runs, `The runs of "${node}"`).map(readRun),
			]),
		),
	};
}

export function readStatus(value: unknown): ExecutionStatus {
	return executionStatuses.find((status) => status === value) ?? 'unknown';
}

function readRun(value: unknown): NodeRun {
	const run = asJson(value, 'A run');
	const byType = Object.fromEntries(
		Object.entries(isJson(run.data) ? run.data : {}).map(([type, outputs]) => [
			type,
			asArray(outputs, `The outputs of type ${type}`).map(readItems),
		]),
	);
	const { main = [], ...otherOutputs } = byType;
	const error = readError(run.error);
	const status = optionalText(run, 'executionStatus');
	return {
		outputs: main,
		otherOutputs,
		hints: Array.isArray(run.hints) ? run.hints : [],
		...(status === undefined ? {} : { status }),
		...(typeof run.startTime === 'number' ? { startedAt: new Date(run.startTime) } : {}),
		...(typeof run.executionTime === 'number' ? { tookMs: run.executionTime } : {}),
		...(error === undefined ? {} : { error }),
	};
}

function readItems(value: unknown): readonly Item[] {
	if (value === null) return [];
	return asArray(value, 'An output').map((entry) => {
		const { json, binary, pairedItem, error } = asJson(entry, 'An item');
		return {
			json: isJson(json) ? json : {},
			...(isJson(binary) ? { binary } : {}),
			...(pairedItem === undefined ? {} : { pairedItem }),
			...(error === undefined ? {} : { error }),
		};
	});
}

function readError(value: unknown): HostError | undefined {
	if (!isJson(value)) return undefined;
	const description = optionalText(value, 'description');
	const name = optionalText(value, 'name');
	return {
		message: optionalText(value, 'message') ?? '',
		...(description === undefined ? {} : { description }),
		...(name === undefined ? {} : { name }),
		raw: value,
	};
}

/**
 * Rebuilds a value that n8n stored flat: an array whose first element is the value, and in which a
 * string inside an object or array is the index of the element that belongs there.
 */
export function unflatten(stored: string): unknown {
	const elements = asArray(JSON.parse(stored), 'The stored data');
	const built = new Map<number, unknown>();
	const at = (index: number): unknown => {
		if (built.has(index)) return built.get(index);
		const element = elements[index];
		if (Array.isArray(element)) {
			const array: unknown[] = [];
			built.set(index, array);
			for (const part of element) array.push(resolve(part));
			return array;
		}
		if (isJson(element)) {
			const object: Record<string, unknown> = {};
			built.set(index, object);
			for (const [key, part] of Object.entries(element)) {
				Object.defineProperty(object, key, {
					value: resolve(part),
					enumerable: true,
					configurable: true,
					writable: true,
				});
			}
			return object;
		}
		return element;
	};
	const resolve = (part: unknown) => (typeof part === 'string' ? at(Number(part)) : part);
	return at(0);
}
