import { remedyOfCancelled } from '../outcome/cancelled';
import { remedyAt } from '../outcome/remedyAt';
import type { Verdict, Facts } from './classify';
import type { FailureContext } from './describeFailure';
import type { ExitState } from './childGroup';
import { proxyWording } from './proxyWording';
import { isCertificateCode, reachProblem } from './reachProblem';

export interface Wording {
	readonly message: string;
	readonly remedy: string;
}

/** Error code of a server that speaks newer protocol versions only. */
const unsupportedProtocolRpcCode = -32022;

/** One sentence on what happened and one on what to do, for every verdict `classify` gives. */
export function wording(facts: Facts, verdict: Verdict, context: FailureContext): Wording {
	if (verdict.code === 'cancelled') {
		return {
			message: `${context.activity} was cancelled with the execution${facts.sent ? ' after the request was sent' : ' before anything was sent'}.`,
			remedy: remedyOfCancelled(verdict.disposition),
		};
	}
	const { message, remedy } = sentence(facts, verdict.code, context);
	return { message, remedy: remedyAt(verdict.disposition, remedy) };
}

function sentence(
	facts: Facts,
	code: Exclude<Verdict['code'], 'cancelled'>,
	context: FailureContext,
): Wording {
	const { activity, connection } = context;
	switch (code) {
		case 'spawn-failed':
			return spawnFailed(facts, context);
		case 'unreachable':
			return unreachable(facts, context);
		case 'unauthorized':
			return {
				message: `${activity} was refused: ${connection} answered with HTTP ${status(facts)}.`,
				remedy: 'Check the field Bearer Token and the header rows of the connection.',
			};
		case 'session-lost':
			return {
				message: `${activity} was refused: ${connection} does not know the session any more (HTTP 404).`,
				remedy: 'Run again; a new session is opened.',
			};
		case 'rate-limited':
			return {
				message: `${activity} was refused: ${connection} allows no more requests for now (HTTP 429).`,
				remedy: 'Wait and run again, or call less often.',
			};
		case 'http-refused':
			return httpRefused(facts, context);
		case 'rpc-refused':
		case 'rpc-error':
			return rpcError(facts, context);
		case 'timed-out':
			return timedOut(facts, context);
		case 'connection-lost':
			return connectionLost(facts, context);
		case 'result-unreadable':
			return {
				message: `${activity} was answered by ${connection}, but the answer is not one that MCP allows.`,
				remedy: 'Report this to the makers of the server.',
			};
		default:
			return facts.http === undefined
				? {
						message: `${activity} failed for a reason that could not be told.`,
						remedy: 'Check the server and run again.',
					}
				: notMcp(facts, context);
	}
}

function spawnFailed(facts: Facts, { connection, wire }: FailureContext): Wording {
	const { exit } = wire;
	if (exit !== undefined)
		return {
			message: `${sentenceStart(connection)} ended before it had initialised (${describeExit(exit)}).`,
			remedy:
				'Read its last lines of output in the details and check the fields Command, Arguments and Environment.',
		};
	const why = facts.systemCode === undefined ? '' : ` (${facts.systemCode})`;
	return {
		message: `${sentenceStart(connection)} could not be started${why}.`,
		remedy:
			'Check that the command can run where n8n runs, together with the interpreter named in its first line.',
	};
}

function unreachable(facts: Facts, context: FailureContext): Wording {
	const { activity, connection } = context;
	if (facts.proxy !== undefined) return proxyWording(facts.proxy, context);
	if (facts.http !== undefined) {
		if (facts.http.status < 300) return notMcp(facts, context);
		return {
			message: `${activity} failed: ${connection} answered with HTTP ${status(facts)}.`,
			remedy: "Look at the server's own log, then run again.",
		};
	}
	if (facts.answer?.kind === 'error') return rpcError(facts, context);
	if (facts.answer !== undefined || facts.interruption?.kind === 'unreadable')
		return {
			message: `${activity} failed: ${connection} agreed on no protocol version this client speaks, or its answer is malformed.`,
			remedy: 'Use a server that speaks MCP 2025-11-25 or an earlier version.',
		};
	const code = facts.systemCode;
	if (code !== undefined && isCertificateCode(code))
		return {
			message: `The TLS certificate of ${connection} was not accepted (${code}).`,
			remedy:
				"Enter the issuing authority's certificate in the field CA Certificate, or switch Ignore SSL Issues on.",
		};
	const why = lostReason(facts) ?? reachProblem(code);
	return {
		message: `${activity} failed: ${connection} could not be reached (${why}).`,
		remedy:
			facts.transport === 'stdio'
				? 'Check the command and run again.'
				: 'Check the field Endpoint, that the server runs, and that n8n can reach it.',
	};
}

function httpRefused(facts: Facts, context: FailureContext): Wording {
	const { activity, connection } = context;
	if (facts.proxy !== undefined) return proxyWording(facts.proxy, context);
	if (facts.http?.status === 407)
		return {
			message: `${activity} was refused: a proxy before ${connection} wants a user and a password (HTTP 407).`,
			remedy: "Name that proxy with both in HTTP_PROXY or HTTPS_PROXY of n8n's environment.",
		};
	const target = facts.http?.redirectedTo;
	if (facts.http !== undefined && facts.http.status < 400)
		return {
			message: `${activity} was refused: ${connection} redirects${target === undefined ? '' : ` to ${target}`} (HTTP ${status(facts)}), which is not followed.`,
			remedy: 'Enter the address it redirects to in the field Endpoint, if you trust it.',
		};
	return {
		message: `${activity} was refused: ${connection} answered with HTTP ${status(facts)}.`,
		remedy:
			facts.http?.status === 404 || facts.http?.status === 405
				? 'Check the path in the field Endpoint.'
				: 'Read the answer in the details and check the connection.',
	};
}

function rpcError(facts: Facts, { activity, connection, redact }: FailureContext): Wording {
	const answer = facts.answer?.kind === 'error' ? facts.answer : undefined;
	const code = answer?.rpcCode ?? facts.http?.rpcCode;
	if (code === unsupportedProtocolRpcCode)
		return {
			message: `${activity} failed: ${connection} speaks newer versions of MCP only than this client does.`,
			remedy: 'Use a server that speaks MCP 2025-11-25 or an earlier version.',
		};
	const text =
		answer === undefined || answer.text === '' ? '' : `: ${excerpt(answer.text, redact)}`;
	return {
		message: `${activity} failed: ${connection} answered with ${code === undefined ? 'an error without a code' : `error ${String(code)}`}${text}`,
		remedy: "Read the server's message; its own log may say more.",
	};
}

const excerpt = (text: string, redact: (text: string) => string): string => {
	const clean = redact(text).replace(/\s+/g, ' ').trim();
	return clean.length > 200 ? `${clean.slice(0, 200)}…` : clean;
};

function timedOut(facts: Facts, context: FailureContext): Wording {
	const { activity, connection } = context;
	if (facts.interruption?.kind === 'max-duration')
		return {
			message: `${activity} took longer than ${seconds(context.maxDurationMs)}, the Maximum Duration of the connection to ${connection}.`,
			remedy: 'Raise the field Maximum Duration of the credential if the server needs longer.',
		};
	return {
		message: `${activity} got neither answer nor progress from ${connection} within ${seconds(context.requestTimeoutMs)}, the Request Timeout of the connection.`,
		remedy: 'Raise the field Request Timeout of the credential if the server needs longer.',
	};
}

function connectionLost(facts: Facts, context: FailureContext): Wording {
	const { activity, connection, wire } = context;
	const exit = wire.exit === undefined ? undefined : `it ended, ${describeExit(wire.exit)}`;
	const http = facts.http === undefined ? undefined : `HTTP ${status(facts)}`;
	const why = lostReason(facts) ?? exit ?? http ?? facts.systemCode ?? 'the connection closed';
	return {
		message: facts.sent
			? `${activity} has no known outcome: ${connection} was lost after the request was sent (${why}).`
			: `${activity} failed: ${connection} was lost before the request was sent (${why}).`,
		remedy:
			facts.transport === 'stdio'
				? "Read the server's last lines of output in the details."
				: "Look at the server's own log.",
	};
}

function notMcp(facts: Facts, { connection }: FailureContext): Wording {
	const type = facts.http?.contentType ?? 'no content type';
	return {
		message: `The endpoint of ${connection} does not look like MCP: it answered with HTTP ${status(facts)} and ${type}.`,
		remedy: 'Check the field Endpoint; the path often ends in /mcp.',
	};
}

const lostReason = (facts: Facts): string | undefined =>
	facts.interruption?.kind === 'lost' ? facts.interruption.reason : undefined;

const status = (facts: Facts): string => String(facts.http?.status ?? 'unknown');

const seconds = (ms: number): string => `${String(ms / 1000)} s`;

const describeExit = ({ exitCode, signal }: ExitState): string =>
	signal === null ? `exit code ${String(exitCode)}` : `signal ${signal}`;

const sentenceStart = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
