import type { IExecuteFunctions } from 'n8n-workflow';

import type { CallFacts } from '../../src/call/callRecord';
import { type CallContext, type CheckedCall, checkCall, factsOf } from '../../src/call/checkCall';
import type { Origin } from '../../src/call/provenance';
import { isPlainObject, own, type PlainObject } from '../../src/json/plainObject';
import { isAgentTool } from '../../src/n8n/agentTool';
import {
	argumentFieldsPath,
	readArgumentFields,
	readArgumentsJson,
} from '../../src/n8n/readArguments';
import { fail, type Failure, type Result, succeed } from '../../src/outcome/failure';
import type { Effect } from '../../src/policy/effect';
import type { Pin } from '../../src/policy/pin';
import { readEffect } from '../../src/policy/readEffect';
import { fieldsToArguments } from '../../src/schema/fieldsToArguments';
import { toFormModel } from '../../src/schema/toFormModel';
import { withoutAgentKeys } from '../../src/schema/withoutAgentKeys';
import { checkItemPresets, type RunPresets } from './presetAnswers';

export interface ItemOptions {
	readonly output: 'value' | 'fullResult';
	readonly binary: boolean;
	readonly toolErrors: 'fail' | 'data';
	readonly treatAs?: Effect;
	readonly pin?: Pin;
}

/** An item's call, read from the parameters and checked; nothing was sent. */
export interface PreparedItem {
	readonly facts: CallFacts;
	readonly options: ItemOptions;
	readonly checked: Result<CheckedCall>;
	/** What n8n threw while a parameter was read. */
	readonly cause?: Error;
}

/** What one run of the node shares for its items. */
interface RunFacts {
	readonly presets: RunPresets;
	readonly originOf: (item: number) => Origin;
	readonly meta?: Readonly<Record<string, unknown>> | undefined;
}

/** Reads the parameters of one item and checks the call before anything is sent. Never throws. */
export function prepareItem(
	context: IExecuteFunctions,
	call: Omit<CallContext, 'session'>,
	item: number,
	{ presets, originOf, meta }: RunFacts,
): PreparedItem {
	let toolName = '';
	let options: ItemOptions = { output: 'value', binary: true, toolErrors: 'fail' };
	const unread = (failure: ReturnType<typeof fail>, cause?: Error): PreparedItem => ({
		facts: factsOf(call, { toolName, treatAs: options.treatAs }),
		options,
		checked: failure,
		...(cause === undefined ? {} : { cause }),
	});
	try {
		toolName = readToolName(context, item);
		if (toolName === '') {
			return unread(
				fail({
					code: 'tool-unknown',
					disposition: 'did-not-happen',
					message: 'Tool is empty',
					remedy: 'Pick a tool from the list or enter its name.',
				}),
			);
		}
		const given = readOptions(context, item);
		const read = itemOptions(given);
		if (!read.ok) return unread(read);
		options = read.value;
		const preset = checkItemPresets(own(given, 'presetAnswers') ?? null, presets);
		if (!preset.ok) return unread(preset);
		const values = readArguments(context, call, toolName, item);
		if (!values.ok) return unread(values);
		const { facts, checked } = checkCall(call, {
			toolName,
			arguments: values.value,
			...(options.treatAs === undefined ? {} : { treatAs: options.treatAs }),
			...(options.pin === undefined ? {} : { pin: options.pin }),
			...(given['provenance'] === true ? { origin: originOf(item) } : {}),
			...(meta === undefined ? {} : { meta }),
		});
		return { facts, options, checked };
	} catch (error) {
		const cause = error instanceof Error ? error : new Error(String(error));
		return unread(fail(unreadParameter(cause)), cause);
	}
}

/** A parameter whose expression failed. */
export const unreadParameter = (error: unknown): Failure => ({
	code: 'arguments-invalid',
	disposition: 'did-not-happen',
	message: `A parameter of the node could not be read: ${error instanceof Error ? error.message : String(error)}`,
	remedy: 'Correct the expression or the value of that parameter.',
});

export function readToolName(context: IExecuteFunctions, item: number): string {
	const value = context.getNodeParameter('tool', item, '', { extractValue: true });
	return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

function readArguments(
	context: IExecuteFunctions,
	call: Omit<CallContext, 'session'>,
	toolName: string,
	item: number,
): Result<unknown> {
	const schema = call.tools.get(toolName)?.tool.inputSchema;
	const withoutKeys = (args: unknown) => withoutAgentKeys(schema, args, isAgentTool(context));
	if (context.getNodeParameter('argumentsMode', item, 'fields') === 'json') {
		const read = readArgumentsJson(context.getNodeParameter('argumentsJson', item, '{}'));
		return read.ok ? succeed(withoutKeys(read.value)) : read;
	}
	const values = readArgumentFields(context.getNodeParameter(argumentFieldsPath, item, null));
	return succeed(withoutKeys(fieldsToArguments(toFormModel(schema), values)));
}

function readOptions(context: IExecuteFunctions, item: number): PlainObject {
	const raw: unknown = context.getNodeParameter('options', item, {});
	return isPlainObject(raw) ? raw : {};
}

function itemOptions(given: PlainObject): Result<ItemOptions> {
	const treatAs = Object.hasOwn(given, 'treatAs')
		? readEffect(given['treatAs'], 'Treat As')
		: undefined;
	if (treatAs?.ok === false) return treatAs;
	const pin = readPin(given);
	return succeed({
		output: given['output'] === 'fullResult' ? 'fullResult' : 'value',
		binary: given['binary'] !== false,
		toolErrors: given['toolErrors'] === 'data' ? 'data' : 'fail',
		...(treatAs === undefined ? {} : { treatAs: treatAs.value }),
		...(pin === undefined ? {} : { pin }),
	});
}

/** An option that was added and left empty pins nothing; one whose expression gives nothing is no fingerprint, and is refused. */
function readPin(given: PlainObject): Pin | undefined {
	if (!Object.hasOwn(given, 'pinnedFingerprint')) return undefined;
	const { pinnedFingerprint, onDrift } = given;
	if (pinnedFingerprint === '') return undefined;
	return {
		fingerprint: String(pinnedFingerprint),
		onDrift: onDrift === 'warn' || !Object.hasOwn(given, 'onDrift') ? 'warn' : 'refuse',
	};
}
