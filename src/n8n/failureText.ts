import type { Failure } from '../outcome/failure';
import type { DecidedEffect } from '../policy/effect';

const KNOWN: Readonly<Record<Failure['disposition'], string>> = {
	'did-not-happen': 'The tool did not run.',
	'in-doubt': 'The request was sent, and nobody can say what it did.',
	landed: 'The server answered for the request.',
};

const known = ({ code, disposition }: Failure): string =>
	code === 'needs-reconciliation'
		? 'Nothing was sent this time; nobody can say what the earlier request did.'
		: KNOWN[disposition];

/** The lines under a failure's sentence: remedy, stage, what is known about the effect, evidence. */
export function failureDescription(failure: Failure, decided?: DecidedEffect): string {
	const lines = [
		failure.remedy,
		`Code: ${failure.code}. Disposition: ${failure.disposition}. ${known(failure)}`,
		stageLine(failure),
		decided === undefined || !reachedTool(failure)
			? undefined
			: `Effect of the tool: ${decided.effect} (${decided.source}).`,
		...evidenceLines(failure),
	];
	return joined(lines, '\n');
}

const DONE: Readonly<Record<Failure['disposition'], string>> = {
	'did-not-happen': 'Nothing was changed.',
	'in-doubt': 'Whether something was changed is not known.',
	landed: 'The operation was done.',
};

/**
 * The same for an operation that calls no tool. A disposition, or an effect, would be read as that of the call which the
 * operation is about.
 */
export const operationDescription = (failure: Failure): string =>
	joined(
		[
			failure.remedy,
			`Code: ${failure.code}. ${DONE[failure.disposition]}`,
			stageLine(failure),
			...evidenceLines(failure),
		],
		'\n',
	);

/** Everything a credential test has room for: what happened, at which stage, what to do, what came back (C2). */
export const failureSummary = (failure: Failure): string =>
	joined(
		[`${failureTitle(failure)}.`, failure.remedy, stageLine(failure), ...evidenceLines(failure)],
		' ',
	);

/** The failure's sentence as a title, without a full stop at its end. */
export const failureTitle = ({ message }: Failure): string => message.replace(/\.$/, '');

const stageLine = ({ stage }: Failure): string | undefined =>
	stage === undefined ? undefined : `Stage: ${stage}.`;

/** False when the tool is unknown or the connection failed before it: then nothing can be said of its effect. */
const reachedTool = ({ code, stage }: Failure): boolean =>
	code !== 'tool-unknown' && code !== 'connection-invalid' && (stage ?? 'call') === 'call';

function evidenceLines({ evidence }: Failure): readonly (string | undefined)[] {
	return [
		evidence?.httpStatus === undefined ? undefined : `HTTP status: ${String(evidence.httpStatus)}.`,
		evidence?.body === undefined ? undefined : `The answer began: ${evidence.body}`,
		evidence?.command === undefined ? undefined : `Command: ${evidence.command}.`,
		evidence?.searched === undefined
			? undefined
			: `Searched on PATH: ${evidence.searched.join(', ')}.`,
		evidence?.stderr === undefined ? undefined : `Last lines of its stderr:\n${evidence.stderr}`,
	];
}

const joined = (lines: readonly (string | undefined)[], separator: string): string =>
	lines.filter((line) => line !== undefined && line !== '').join(separator);
