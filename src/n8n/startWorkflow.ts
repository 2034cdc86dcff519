import { setTimeout as pause } from 'node:timers/promises';

import type { IDataObject, IExecuteFunctions, IRunExecutionData } from 'n8n-workflow';

import { isPlainObject, type PlainObject } from '../json/plainObject';
import { resumeUrlOf } from './resumeUrl';

/** How long n8n may take to start the workflow. */
const START_LIMIT_MS = 10_000;
/** For how long a failure of the started workflow is looked for: the caller's own work is held up as long. */
const FAILURE_LIMIT_MS = 3_000;
const LOOK_EVERY_MS = 100;

export type Start =
	/** It runs, or has ended, and had not failed within the time that is taken to look. */
	| { readonly kind: 'started'; readonly executionId: string }
	| { readonly kind: 'failed'; readonly executionId: string; readonly problem: string }
	| { readonly kind: 'not-started'; readonly problem: string };

/**
 * Starts another workflow with items and does not wait for its end: a workflow that hangs or waits would hold up the
 * execution that called it, and one that waits would put n8n's own wait in the place of ours. Never rejects.
 */
export async function startWorkflow(
	context: IExecuteFunctions,
	workflowId: string,
	items: readonly PlainObject[],
): Promise<Start> {
	try {
		const start = context.executeWorkflow(
			{ id: workflowId },
			items.map((json, item) => ({
				// eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- JSON values only
				json: json as IDataObject,
				pairedItem: { item },
			})),
			undefined,
			{
				doNotWaitToFinish: true,
				executionMode: context.getMode(),
				parentExecution: {
					executionId: context.getExecutionId(),
					workflowId: context.getWorkflow().id ?? '',
					shouldResume: false,
				},
			},
		);
		const { executionId } = await within(START_LIMIT_MS, start);
		const problem = await failureOf(context, executionId);
		return problem === undefined
			? { kind: 'started', executionId }
			: { kind: 'failed', executionId, problem };
	} catch (error) {
		return { kind: 'not-started', problem: textOf(error, tokenOf(context)) };
	}
}

async function within<T>(limitMs: number, work: Promise<T>): Promise<T> {
	const limit = new AbortController();
	const late = pause(limitMs, undefined, { signal: limit.signal }).then(() => {
		throw new Error(`n8n did not start it within ${String(limitMs / 1000)} seconds`);
	});
	// What loses the race must not end the process.
	late.catch(() => undefined);
	work.catch(() => undefined);
	try {
		return await Promise.race([work, late]);
	} finally {
		limit.abort();
	}
}

/** What a started execution failed with, if it does so soon. */
async function failureOf(
	context: IExecuteFunctions,
	executionId: string,
): Promise<string | undefined> {
	const cancelled = context.getExecutionCancelSignal();
	const until = Date.now() + FAILURE_LIMIT_MS;
	while (Date.now() < until && cancelled?.aborted !== true) {
		const data = await context.getExecutionDataById(executionId).catch(() => undefined);
		// Gone already, because it has ended and n8n saves nothing of it; or nobody can say.
		if (data === undefined) return undefined;
		const { error } = data.resultData;
		if (error !== undefined) return textOf(error, tokenOf(context));
		if (hasEnded(data)) return undefined;
		await pause(LOOK_EVERY_MS);
	}
	return undefined;
}

const hasEnded = ({ waitTill, resultData, executionData }: IRunExecutionData): boolean =>
	Boolean(waitTill) ||
	(resultData.lastNodeExecuted !== undefined && executionData?.nodeExecutionStack.length === 0);

const LONGEST_PROBLEM = 300;

/** n8n's token in the address of this execution. */
const tokenOf = (context: IExecuteFunctions): string =>
	URL.parse(resumeUrlOf(context))?.searchParams.get('signature') ?? '';

/** One line of an error's message. The token, and the addresses that the items hold, are no part of it (I9). */
export function textOf(error: unknown, token = ''): string {
	const text = isPlainObject(error) ? error['message'] : undefined;
	const whole = typeof text === 'string' && text !== '' ? text : String(error);
	const line = (token === '' ? whole : whole.replaceAll(token, '…'))
		.replaceAll(/([?&](?:signature|token)=)[^&\s"'<>]*/g, '$1…')
		.replaceAll(/\s+/g, ' ')
		.trim()
		.replace(/\.$/, '');
	return line.length > LONGEST_PROBLEM ? `${line.slice(0, LONGEST_PROBLEM)}…` : line;
}
