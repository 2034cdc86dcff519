import { deepEqual, equal, ok } from 'node:assert/strict';
import type { Execution, Item } from '../../../scripts/host/executionData.ts';
import { isJson } from '../../../scripts/host/json.ts';
import type { Json } from '../../../scripts/host/json.ts';
import type { SoakControl } from './control.ts';
import type { PlannedCall, SoakCase } from './drawCase.ts';
import { comesTo } from './oracle.ts';
import type { Came } from './oracle.ts';
import type { Met } from './troubles.ts';

/** An execution that has ended, and the books of its servers. */
export interface RunToJudge {
	readonly of: SoakCase;
	readonly control: SoakControl;
	readonly execution: Execution;
	/** A server ended under it for the sake of another call: there may have been an attempt that no server has seen. */
	readonly excused: boolean;
	readonly excuse: () => void;
}

/** Throws unless the execution's status, and each item that left the node, are what the books make of them. */
export function judgeRun(run: RunToJudge): void {
	const { of, execution } = run;
	const items = itemsOf(execution);
	const failures = of.calls.filter((call, at) => isFailed(run, call, items[at]));
	const fails = of.setting === 'stops' && failures.length > 0;
	equal(execution.status, fails ? 'error' : 'success', `The status (${told(execution)})`);
	equal('After' in execution.runData, !fails, 'Whether the next node ran');
	if (!fails) equal(items.length, of.calls.length, 'Items');
	deepEqual(
		items.map(({ pairedItem }) => pairedItem),
		items.map((_, item) => ({ item })),
		'Paired items',
	);
}

/** What a second execution with the same keys comes to (K5 to K10). `before`: each call's attempts until then. */
export function judgeAgain(
	run: RunToJudge & { readonly first: Execution; readonly before: readonly number[] },
): void {
	const { of, control, execution, first, before, excused, excuse } = run;
	for (const [at, call] of of.calls.entries()) {
		const which = `${nameOf(call)}, the second time`;
		const [was, is] = [itemsOf(first)[at], itemsOf(execution)[at]];
		const failed = failureOf(was, first);
		const again = failureOf(is, execution);
		const met = control.met(call.n).slice(before[at]);
		expectWork(run, call);
		if (failed === undefined) {
			const record = isJson(is?.json.call) ? is.json.call : {};
			deepEqual(
				[record.outcome, record.deduplicatedFrom, is?.json.output, met.length],
				['deduplicated', first.id, was?.json.output, 0],
				which,
			);
		} else if (failed.disposition === 'in-doubt') {
			deepEqual([again?.code, met.length], ['needs-reconciliation', 0], which);
		} else if (failed.disposition === 'landed') {
			deepEqual([again?.code, met.length], [failed.code, 0], which);
		} else {
			const came = comesTo(call.tool, met);
			if (again === undefined ? came.kind === 'answered' : isSame(came, again)) continue;
			ok(
				excused && again !== undefined && mayBreak(met, again),
				`${which} was ${JSON.stringify(came)} and ${told(execution, again)}`,
			);
			excuse();
		}
	}
}

/** Throws when the call may not have come to what stands in its item, or in the execution's error. */
function isFailed(run: RunToJudge, call: PlannedCall, item: Item | undefined): boolean {
	const { control, execution, excused, excuse } = run;
	const met = control.met(call.n);
	const came = comesTo(call.tool, met);
	const failure = failureOf(item, execution);
	expectWork(run, call);
	if (failure === undefined) {
		expectItem(run, call, came, item);
		return false;
	}
	if (isSame(came, failure)) {
		// n8n's own error does not hold it.
		if (!excused && failure.attempts !== undefined) {
			equal(failure.attempts, came.attempts, `${nameOf(call)}: attempts`);
		}
		return true;
	}
	ok(
		excused && mayBreak(met, failure),
		`${nameOf(call)} was ${JSON.stringify(came)} and ${told(execution, failure)}`,
	);
	excuse();
	return true;
}

function expectItem(
	{ of, control, excused }: RunToJudge,
	call: PlannedCall,
	came: Came,
	item: Item | undefined,
): void {
	const { n, tool } = call;
	const record = isJson(item?.json.call) ? item.json.call : {};
	const found = [record.outcome, item?.json.output];
	const expected = () => {
		if (came.kind === 'answered') return ['completed', { n, tool }];
		if (came.kind !== 'parked') return [`not well: ${JSON.stringify(came)}`];
		if (of.course === 'answered') return ['resumed', { n, approved: true }];
		if (of.course === 'expires') return ['expired', null];
		return ['woke', { slept_until: control.sleptUntil(n) }];
	};
	deepEqual(found, expected(), nameOf(call));
	if (!excused) equal(record.attempts, came.attempts, `${nameOf(call)}: attempts`);
}

/** Nothing but an idempotent call with its key may do its work twice, and a read does none. */
function expectWork({ control }: RunToJudge, call: PlannedCall): void {
	if (call.tool === 'put_once') return;
	const works = control.works(call.n);
	ok(works <= (call.tool === 'look' ? 0 : 1), `${nameOf(call)} worked ${String(works)} times`);
}

const isSame = (came: Came, failure: Json): boolean =>
	came.kind === 'failed' && came.code === failure.code && came.disposition === failure.disposition;

/** How a call may fail whose server ended under it; its time may have been over at that moment. */
const BROKEN = ['connection-lost', 'session-lost', 'spawn-failed', 'unreachable', 'timed-out'];

/** Whether a call that met this may fail so when there was another attempt that no server has seen. */
const mayBreak = (met: readonly Met[], { code, disposition }: Json): boolean =>
	disposition !== 'landed' &&
	(BROKEN.includes(String(code)) ||
		met.some((each) => each.kind === 'failed' && each.code === code));

const itemsOf = ({ runData }: Execution): readonly Item[] => runData.Call?.at(-1)?.outputs[0] ?? [];

/** What is known of a failed call, by its item or by the error that ended the run. */
function failureOf(item: Item | undefined, { error }: Execution): Json | undefined {
	if (isJson(item?.json.error)) return item.json.error;
	if (item !== undefined || error === undefined) return undefined;
	const { message, raw } = error;
	return isJson(raw.context) && 'code' in raw.context ? raw.context : { message };
}

const nameOf = ({ n, tool }: PlannedCall): string => `Call ${String(n)} of ${tool}`;

const told = ({ error, status }: Execution, failure?: Json): string =>
	`${status} ${failure === undefined ? '' : JSON.stringify(failure)} ${error?.message ?? ''}`;
