import type { McpSession, ToolRequest, ToolResult } from '../../src/call/session';
import type { Disposition, Failure, FailureCode, Result } from '../../src/outcome/failure';
import { fail, succeed } from '../../src/outcome/failure';

/** What a session answers to one request: a result, or what it makes of the request and its signal. */
export type Scripted =
	| Result<ToolResult>
	| ((request: ToolRequest, signal: AbortSignal | undefined) => Promise<Result<ToolResult>>);

export interface ScriptedSession extends Pick<McpSession, 'callTool'> {
	/** What was sent so far. */
	readonly sent: readonly ToolRequest[];
	readonly signals: readonly (AbortSignal | undefined)[];
}

/** The call port of a session that answers the requests one after the other as told; the last answer stands for all others. */
export function scriptedSession(...script: readonly Scripted[]): ScriptedSession {
	const sent: ToolRequest[] = [];
	const signals: (AbortSignal | undefined)[] = [];
	return {
		sent,
		signals,
		callTool: async (request, signal) => {
			const next = script[Math.min(sent.length, script.length - 1)];
			if (next === undefined) throw new Error('nothing is scripted');
			sent.push(request);
			signals.push(signal);
			return typeof next === 'function' ? await next(request, signal) : next;
		},
	};
}

export const textResult = (text: string): Result<ToolResult> =>
	succeed({ content: [{ type: 'text', text }] });

export const errorResult = (text: string): Result<ToolResult> =>
	succeed({ content: [{ type: 'text', text }], isError: true });

export const broken = (
	code: FailureCode,
	disposition: Disposition,
	more: Partial<Failure> = {},
): Result<never> => fail({ code, disposition, stage: 'call', message: `It was ${code}`, ...more });

/** Answers nothing until the signal says that nobody waits any more; the request was sent by then. */
export const hangs: Scripted = (_, signal) =>
	new Promise((resolve) => {
		const end = () => {
			resolve(broken('cancelled', 'in-doubt'));
		};
		if (signal?.aborted === true) end();
		else signal?.addEventListener('abort', end);
	});
