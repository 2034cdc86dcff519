import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { type Progress as ToldProgress, ResultSchema } from '@modelcontextprotocol/sdk/types.js';

import { fail, succeed, type Result, type Stage } from '../outcome/failure';
import type { Facts } from './classify';
import { describeFailure, type FailureContext } from './describeFailure';
import type { Evidence, RequestNote } from './evidence';
import { longestTimerMs, startLimits, type Limits } from './limits';
import { proxyTrouble } from './proxyTunnel';
import { systemCode } from './systemCode';
import type { Wire } from './wire';

/** A connection and the limits of each request on it. */
export interface Line {
	readonly client: Client;
	readonly wire: Wire;
	readonly evidence: Evidence;
	readonly requestTimeoutMs: number;
	readonly maxDurationMs: number;
	/** False once the transport has closed. */
	readonly isOpen: () => boolean;
}

export interface Exchange {
	readonly stage: 'initialise' | 'list' | 'call';
	/** As the start of a sentence. */
	readonly activity: string;
	/** Starts the request; must hand it to the transport with the given options. */
	readonly start: (options: SdkOptions) => Promise<unknown>;
	/** Milliseconds of the hard limit that earlier requests of the same work have taken; none if absent. */
	readonly spentMs?: number;
	/** Hears progress, besides the limits. */
	readonly onProgress?: (told: ToldProgress) => void;
}

interface SdkOptions {
	readonly signal: AbortSignal;
	readonly timeout: number;
	readonly onprogress: (told: ToldProgress) => void;
}

/**
 * Runs one request under its limits and turns whatever goes wrong into a failure by the evidence gathered. Never rejects.
 * The SDK's own timer is out of the way: our limits abort instead, so that a timeout is never mistaken for a peer's error code.
 */
export async function runExchange<T>(
	line: Line,
	exchange: Exchange,
	read: (value: unknown) => T,
	cancel: AbortSignal | undefined,
): Promise<Result<T>> {
	const maxDurationMs = Math.max(0, line.maxDurationMs - (exchange.spentMs ?? 0));
	const limits = startLimits({ ...line, maxDurationMs }, cancel);
	let note: RequestNote | undefined;
	line.evidence.awaitNext((opened) => {
		note = opened;
		opened.interrupt = limits.interrupt;
	});
	let caught: unknown;
	try {
		if (!limits.signal.aborted) {
			const value = await exchange.start({
				signal: limits.signal,
				timeout: longestTimerMs,
				onprogress: hearing(limits, exchange),
			});
			return succeed(read(value));
		}
	} catch (error) {
		caught = error;
	} finally {
		limits.stop();
		if (note !== undefined) line.evidence.settle(note);
	}
	return fail(
		describeFailure(factsOf(line, exchange, note, limits, caught), contextOf(line, exchange)),
	);
}

const hearing = ({ progress }: Limits, { onProgress }: Exchange): ((told: ToldProgress) => void) =>
	onProgress === undefined
		? progress
		: (told) => {
				progress();
				onProgress(told);
			};

type Method = 'tools/list' | 'tools/call' | 'ping';

/** A plain request of a method whose result is kept whole, unknown keys included (C5). */
export const plainRequest =
	(line: Line, method: Method, params: Readonly<Record<string, unknown>>) =>
	(options: SdkOptions): Promise<unknown> =>
		line.client.request({ method, params: { ...params } }, ResultSchema, options);

function factsOf(
	line: Line,
	exchange: Exchange,
	note: RequestNote | undefined,
	limits: Limits,
	caught: unknown,
): Facts {
	const sent = note?.sent ?? false;
	const interruption = limits.interruption();
	const code = note?.systemCode ?? systemCode(caught);
	const proxy = proxyTrouble(caught);
	const http =
		note?.http ?? (exchange.stage === 'initialise' ? line.wire.facts().strayAnswer : undefined);
	return {
		stage: stageOf(line, exchange, note),
		transport: line.wire.kind,
		sent,
		closed: !line.isOpen(),
		...(note?.answer === undefined ? {} : { answer: note.answer }),
		...(interruption === undefined ? {} : { interruption }),
		...(http === undefined ? {} : { http }),
		...(code === undefined ? {} : { systemCode: code }),
		...(proxy === undefined ? {} : { proxy }),
	};
}

/** The stage the request really reached: one that never left did not get beyond starting or connecting. */
function stageOf(line: Line, exchange: Exchange, note: RequestNote | undefined): Stage {
	if (line.wire.kind === 'streamableHttp')
		return note !== undefined && !note.sent ? 'connect' : exchange.stage;
	return exchange.stage === 'initialise' && note === undefined ? 'spawn' : exchange.stage;
}

const contextOf = (line: Line, exchange: Exchange): FailureContext => ({
	activity: exchange.activity,
	connection: line.wire.connection,
	requestTimeoutMs: line.requestTimeoutMs,
	maxDurationMs: line.maxDurationMs,
	redact: line.wire.redact,
	wire: line.wire.facts(),
});
