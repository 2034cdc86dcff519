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
		failure.stage === undefined ? undefined : `Stage: ${failure.stage}.`,
		decided === undefined || !reachedTool(failure)
			? undefined
			: `Effect of the tool: ${decided.effect} (${decided.source}).`,
		...evidenceLines(failure),
	];
	return joined(lines, '\n');
}

/** Everything a credential test has room for: what happened, at which stage, what to do, what came back (C2). */
export const failureSummary = (failure: Failure): string =>
	joined(
		[
			`${failureTitle(failure)}.`,
			failure.remedy,
			failure.stage === undefined ? undefined : `Stage: ${failure.stage}.`,
			...evidenceLines(failure),
		],
		' ',
	);

/** The failure's sentence as a title, without a full stop at its end. */
export const failureTitle = ({ message }: Failure): string => message.replace(/\.$/, '');

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
