import { remedyOfCancelled } from '../outcome/cancelled';
import type { Failure } from '../outcome/failure';

/** The execution was cancelled while it waited, together with others, for a connection or a listing. */
export const cancelledWhile = (activity: string, stage: 'connect' | 'list'): Failure => ({
	code: 'cancelled',
	disposition: 'did-not-happen',
	stage,
	message: `${activity} was cancelled with the execution.`,
	remedy: remedyOfCancelled('did-not-happen'),
});

export const cancelledConnecting: Failure = cancelledWhile('Connecting', 'connect');

/** Every turn on the connection was taken for too long. */
export const noTurn = (atOnce: number, limitMs: number): Failure => ({
	code: 'timed-out',
	disposition: 'did-not-happen',
	stage: 'connect',
	message: `The request was not sent: ${String(atOnce)} others have been under way on its connection for ${seconds(limitMs)}, the Maximum Duration.`,
	remedy: 'Find out why the server takes so long, or call it less often at once.',
});

/** As many connections as one n8n may have were in use for too long. */
export const noPlace = (most: number, limitMs: number): Failure => ({
	code: 'timed-out',
	disposition: 'did-not-happen',
	stage: 'connect',
	message: `Nothing was connected: all ${String(most)} MCP connections that this n8n may have at once have been in use for ${seconds(limitMs)}, the Request Timeout.`,
	remedy: 'Run fewer executions with different connections at once, or run again later.',
});

export const afterTheEnd: Failure = {
	code: 'connection-lost',
	disposition: 'did-not-happen',
	stage: 'connect',
	message: 'The connection was closed at the end of the run, before the request was sent',
};

const seconds = (ms: number): string => `${String(ms / 1000)} s`;
