import { findUnsendable } from '../json/findUnsendable';
import { isPlainObject, type PlainObject } from '../json/plainObject';
import { fail, type Result, succeed } from '../outcome/failure';
import type { DescribedTool } from '../policy/describeTool';
import type { DecidedEffect, Effect } from '../policy/effect';
import { deriveKey, type IdempotencyKey } from '../policy/idempotencyKey';
import { judgePin, type Pin, type PinVerdict, type Sha256 } from '../policy/pin';
import { raiseEffect } from '../policy/raiseEffect';
import type { ListedTool } from '../policy/tool';
import type { UnofferedRows } from '../policy/unofferedRows';
import type { CallFacts } from './callRecord';
import type { Origin, Sign } from './provenance';
import {
	brokenRows,
	deniedTool,
	describeDrift,
	driftedTool,
	laxerEffect,
	malformedPin,
	misfitting,
	type Misfit,
	noObject,
	type Refusal,
	unknownTool,
	unsendableArguments,
	unusableName,
} from './refusals';
import type { McpSession, ToolRequest } from './session';

/** A value's misfits with a schema; an empty list accepts it, also when the schema is not usable. */
export type CheckArguments = (schema: unknown, value: unknown) => readonly Misfit[];

/** The ports and facts that one run of a node shares over its items. */
export interface CallContext {
	readonly session: Pick<McpSession, 'callTool'>;
	/** The operator's name for the server, or its own. */
	readonly serverName: string;
	/** Every listed tool under the policy, by its public name (C11). */
	readonly tools: ReadonlyMap<string, DescribedTool>;
	/** Rows of the policy that are for no tool of the server (E8). */
	readonly unoffered: UnofferedRows;
	readonly checkArguments: CheckArguments;
	readonly sha256: Sha256;
	/** The connection's key, for calls that say where they come from. */
	readonly sign?: Sign | undefined;
	readonly signal?: AbortSignal;
	readonly onProgress?: ToolRequest['onProgress'];
}

export interface CallRequest {
	/** The public one. */
	readonly toolName: string;
	/** As the author gave them; anything but an object is refused. */
	readonly arguments: unknown;
	/** The node's stricter effect (E5). */
	readonly treatAs?: Effect;
	/** What the tool was when the node was built, if it says so (G4). */
	readonly pin?: Pin;
	/** What the server is told of where the call comes from, if the author wants it to know (C15). */
	readonly origin?: Origin;
	readonly meta?: Readonly<Record<string, unknown>>;
}

/** A request that passed every check and may be sent. */
export interface CheckedCall {
	readonly facts: CallFacts;
	readonly tool: ListedTool;
	/** What the ledger claims before the call; only of an idempotent or write call whose key the operator named (K2, K11). */
	readonly idempotencyKey?: IdempotencyKey;
	readonly arguments: Readonly<Record<string, unknown>>;
	readonly origin?: Origin;
	readonly meta?: Readonly<Record<string, unknown>>;
}

/**
 * Decides, before anything is sent, whether a call may be made: the tool is listed, the policy can be kept to (E8) and grants
 * it, the effect is not lowered (E5), the pinned fingerprint allows it (G4), its arguments fit, and its key is there (K2).
 */
export function checkCall(
	context: Omit<CallContext, 'session'>,
	request: CallRequest,
): { readonly facts: CallFacts; readonly checked: Result<CheckedCall> } {
	const described = context.tools.get(request.toolName);
	const { decided, raised } = effectOf(described, request.treatAs);
	const pin = described === undefined ? undefined : pinVerdict(described, request, context);
	const facts: CallFacts = {
		...factsOf(context, request),
		warnings:
			pin?.kind === 'drifted' && request.pin?.onDrift === 'warn'
				? [describeDrift(request.toolName, pin.fingerprint)]
				: [],
	};
	const refuse = (refusal: Refusal) => ({
		facts,
		checked: fail({ ...refusal, disposition: 'did-not-happen' }),
	});
	const { toolName, arguments: args } = request;
	if (described === undefined) {
		const { serverName, tools } = context;
		const own = [...tools.values()].find(({ tool }) => tool.name === toolName);
		return refuse(
			unknownTool(toolName, {
				listsTools: tools.size > 0,
				serverName,
				publicName: own?.publicName,
			}),
		);
	}
	if (described.nameProblem !== undefined) {
		return refuse(unusableName(toolName, described.nameProblem));
	}
	const { broken } = context.unoffered;
	if (broken.length > 0) return refuse(brokenRows(broken, context.serverName));
	if (!described.granted) return refuse(deniedTool(toolName));
	if (raised === undefined) return refuse(laxerEffect(toolName, decided));
	if (pin?.kind === 'malformed') return refuse(malformedPin(toolName));
	if (pin?.kind === 'drifted' && request.pin?.onDrift === 'refuse') {
		return refuse(driftedTool(toolName, pin.fingerprint));
	}
	if (!isPlainObject(args)) return refuse(noObject(args));
	const unsendable = findUnsendable(args);
	if (unsendable !== undefined) return refuse(unsendableArguments(unsendable));
	const misfits = context.checkArguments(described.tool.inputSchema, args);
	if (misfits.length > 0) return refuse(misfitting(toolName, misfits));
	const key = keyOf(described, facts.decided.effect, args);
	if (!key.ok) return { facts, checked: key };
	const keyedFacts = key.value === undefined ? facts : { ...facts, idempotencyKey: key.value.key };
	const checked: CheckedCall = {
		facts: keyedFacts,
		tool: described.tool,
		arguments: args,
		...(key.value === undefined ? {} : { idempotencyKey: key.value }),
		...(request.origin === undefined ? {} : { origin: request.origin }),
		...(request.meta === undefined ? {} : { meta: request.meta }),
	};
	return { facts: keyedFacts, checked: succeed(checked) };
}

/** What is known of a call before anything of it is checked. */
export function factsOf(
	{ tools, serverName }: Pick<CallContext, 'tools' | 'serverName'>,
	{ toolName, treatAs }: { readonly toolName: string; readonly treatAs?: Effect | undefined },
): CallFacts {
	const described = tools.get(toolName);
	const { decided, raised } = effectOf(described, treatAs);
	const { effect, source } = raised ?? decided;
	const tool = described?.tool.name ?? toolName;
	return { tool, serverName, decided: { effect, source }, attempts: 0, warnings: [] };
}

/** What the connection decided, and what the node makes of it: undefined where it would lower it (E5). */
function effectOf(described: DecidedEffect | undefined, treatAs: Effect | undefined) {
	const decided: DecidedEffect = described ?? { effect: 'write', source: 'default' };
	return { decided, raised: treatAs === undefined ? decided : raiseEffect(decided, treatAs) };
}

const pinVerdict = (
	{ tool }: DescribedTool,
	{ pin }: CallRequest,
	{ sha256 }: Pick<CallContext, 'sha256'>,
): PinVerdict | undefined => (pin === undefined ? undefined : judgePin(tool, pin, sha256));

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
