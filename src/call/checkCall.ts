import { isPlainObject, type PlainObject } from '../json/plainObject';
import { describeArrived } from '../json/describeArrived';
import { fail, type Failure, type Result, succeed } from '../outcome/failure';
import type { DecidedEffect, Effect } from '../policy/effect';
import type { DescribedTool } from '../policy/describeTool';
import { deriveKey, type IdempotencyKey } from '../policy/idempotencyKey';
import { raiseEffect } from '../policy/raiseEffect';
import type { CallFacts } from './callRecord';
import type { McpSession } from './session';

/** A value's misfits with a schema; an empty list accepts it, also when the schema is not usable. */
export type CheckArguments = (
	schema: unknown,
	value: unknown,
) => readonly { readonly path: string; readonly message: string }[];

/** The ports and facts that one run of a node shares over its items. */
export interface CallContext {
	readonly session: Pick<McpSession, 'callTool'>;
	/** The operator's name for the server, or its own. */
	readonly serverName: string;
	/** Every listed tool under the policy, by the server's own name. */
	readonly tools: ReadonlyMap<string, DescribedTool>;
	readonly checkArguments: CheckArguments;
	readonly signal?: AbortSignal;
}

export interface CallRequest {
	readonly toolName: string;
	/** As the author gave them; anything but an object is refused. */
	readonly arguments: unknown;
	/** The node's stricter effect (E5). */
	readonly treatAs?: Effect;
	readonly meta?: Readonly<Record<string, unknown>>;
}

/** A request that passed every check and may be sent. */
export interface CheckedCall {
	readonly facts: CallFacts;
	/** What the ledger claims before the call; only of an idempotent or write call whose key the operator named (K2, K11). */
	readonly idempotencyKey?: IdempotencyKey;
	readonly arguments: Readonly<Record<string, unknown>>;
	readonly meta?: Readonly<Record<string, unknown>>;
}

/** Decides, before anything is sent, whether a call may be made: the tool is listed and granted, its arguments fit. */
export function checkCall(
	context: Omit<CallContext, 'session'>,
	request: CallRequest,
): { readonly facts: CallFacts; readonly checked: Result<CheckedCall> } {
	const described = context.tools.get(request.toolName);
	const decided: DecidedEffect = described ?? { effect: 'write', source: 'default' };
	const raised = request.treatAs === undefined ? decided : raiseEffect(decided, request.treatAs);
	const facts: CallFacts = {
		tool: request.toolName,
		serverName: context.serverName,
		decided: { effect: (raised ?? decided).effect, source: (raised ?? decided).source },
		attempts: 0,
		warnings: [],
	};
	const refuse = (failure: Omit<Failure, 'disposition'>) => ({
		facts,
		checked: fail({ ...failure, disposition: 'did-not-happen' }),
	});
	if (described === undefined) return refuse(unknownTool(request.toolName, context));
	if (!described.granted) return refuse(deniedTool(request.toolName));
	if (raised === undefined) {
		return refuse({
			code: 'policy-denied',
			message: `Treat As must not be laxer than the connection: "${request.toolName}" is ${decided.effect} (${decided.source}) there`,
			remedy: 'Choose an effect at least as strict, or ask the operator to change Tool Policies.',
		});
	}
	if (!isPlainObject(request.arguments)) {
		return refuse({
			code: 'arguments-invalid',
			message: `Arguments must be a JSON object, but ${describeArrived(request.arguments)} arrived`,
			remedy: 'Give an object such as { "name": "value" }.',
		});
	}
	const [misfit, ...others] = context.checkArguments(described.tool.inputSchema, request.arguments);
	if (misfit !== undefined) {
		const more = others.length === 0 ? '' : ` (and ${String(others.length)} more)`;
		return refuse({
			code: 'arguments-invalid',
			message: `Arguments do not fit "${request.toolName}": ${misfit.path} ${misfit.message}${more}`,
			remedy: "Correct that argument; the tool's input schema says what it takes.",
		});
	}
	const key = keyOf(described, facts.decided.effect, request.arguments);
	if (!key.ok) return { facts, checked: key };
	const keyedFacts = key.value === undefined ? facts : { ...facts, idempotencyKey: key.value.key };
	const checked: CheckedCall = {
		facts: keyedFacts,
		arguments: request.arguments,
		...(key.value === undefined ? {} : { idempotencyKey: key.value }),
		...(request.meta === undefined ? {} : { meta: request.meta }),
	};
	return { facts: keyedFacts, checked: succeed(checked) };
}

/** A read never uses the ledger, so a key that is named for it has no use (K11). */
function keyOf(
	{ tool, keyPath }: DescribedTool,
	effect: Effect,
	args: PlainObject,
): Result<IdempotencyKey | undefined> {
	return keyPath === undefined || effect === 'read'
		? succeed(undefined)
		: deriveKey(tool.name, keyPath, args);
}

function unknownTool(
	toolName: string,
	{ tools, serverName }: Pick<CallContext, 'tools' | 'serverName'>,
): Omit<Failure, 'disposition'> {
	return {
		code: 'tool-unknown',
		message:
			tools.size === 0
				? `"${toolName}" cannot be called: the server "${serverName}" lists no tools`
				: `The server "${serverName}" does not list a tool "${toolName}"`,
		remedy:
			tools.size === 0
				? 'Check that the connection leads to the right server.'
				: 'Pick the tool from the list; names match exactly, upper and lower case included.',
	};
}

function deniedTool(toolName: string): Omit<Failure, 'disposition'> {
	return {
		code: 'policy-denied',
		message: `The connection's policy does not allow "${toolName}"`,
		remedy: 'The operator can allow it under Tool Policies or Tools Not Listed of the connection.',
	};
}
