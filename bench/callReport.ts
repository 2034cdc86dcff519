import type { Measured } from './benchmark.ts';
import { caseName, casesOf, contenderName, WAYS } from './callCases.ts';
import type { CallCase, Load, Way } from './callCases.ts';
import type { Transport } from './callNodes.ts';
import { KINDS } from './oneCall.ts';
import type { OneCall } from './oneCall.ts';
import { median, middleMean, rounded } from './statistics.ts';

type Processes = Readonly<Record<'salvor' | 'community', number>>;

type More = 'warm' | 'cold' | 'warm constant' | 'cold constant';

export interface CallFindings {
	/** Milliseconds of a node's run, or of the SDK's calls, by `contenderName`. */
	readonly nodeMs: ReadonlyMap<string, readonly number[]>;
	readonly oneCall: OneCall;
	/** n8n's heap before 10,000 calls, and after each thousand. */
	readonly heapMiB: readonly number[];
	/** Processes of servers over stdio, by whose they are. */
	readonly processes: { readonly whileRunning: Processes; readonly afterStop: Processes };
}

export function presentCalls({ nodeMs, oneCall, heapMiB, processes }: CallFindings): Measured {
	const cases = [1, 100, 1000].flatMap(casesOf);
	const msOf = (of: CallCase, way: Way): number | undefined => {
		const samples = nodeMs.get(contenderName(of, way));
		return samples === undefined ? undefined : middleMean(samples);
	};
	const ms = (
		way: Way,
		transport: Transport,
		items: number,
		load: Load,
		more: More = 'warm',
	): number =>
		msOf(
			{
				transport,
				items,
				load,
				isWarm: !more.includes('cold'),
				isConstant: more.includes('constant'),
			},
			way,
		) ?? NaN;
	const oneMs = (how: keyof OneCall) => ({
		noop: rounded(median(oneCall[how].noop), 2),
		http: rounded(median(oneCall[how].http), 2),
		stdio: rounded(median(oneCall[how].stdio), 2),
	});
	const one = { manual: oneMs('manual'), webhook: oneMs('webhook') };
	const n8nMs = ms('n8n', 'http', 1000, 'writes', 'cold');
	const n8nConstantMs = ms('n8n', 'http', 1000, 'writes', 'cold constant');
	return {
		table: [
			['ms of the calls in all', 'the SDK', 'salvor', 'n8n', 'n8n-nodes-mcp', 'Edit Fields'],
			...cases.map((of) => [caseName(of), ...WAYS.map((way) => msOf(of, way)?.toFixed(1) ?? '')]),
			...(['manual', 'webhook'] as const).flatMap((how) =>
				KINDS.map((kind) => [`an execution, ${how}: ${kind}`, '', one[how][kind].toFixed(1)]),
			),
			['n8n’s heap before, MiB', '', String(heapMiB.at(0))],
			['and after the last of the calls, MiB', '', String(heapMiB.at(-1))],
			...(['whileRunning', 'afterStop'] as const).map((when) => [
				`processes, ${when}`,
				'',
				String(processes[when].salvor),
				'',
				String(processes[when].community),
			]),
		],
		figures: {
			nodeMs: Object.fromEntries(
				cases.map((of) => [
					caseName(of),
					Object.fromEntries(
						WAYS.flatMap((way) => {
							const figure = msOf(of, way);
							return figure === undefined ? [] : [[way, rounded(figure, 2)]];
						}),
					),
				]),
			),
			executionMs: one,
			heapMiB: Object.fromEntries(
				heapMiB.map((size, thousand) => [`after ${String(thousand * 1000)} calls`, size]),
			),
			processes,
		},
		ratios: {
			// Time per call, ours by the SDK's: 1,000 writes over HTTP, one after the other.
			sequentialVsRaw: quotient(
				ms('salvor', 'http', 1000, 'writes'),
				ms('raw', 'http', 1000, 'writes'),
			),
			// The same where n8n has no expression to evaluate for each item.
			sequentialVsRawConstant: quotient(
				ms('salvor', 'http', 1000, 'writes', 'warm constant'),
				ms('raw', 'http', 1000, 'writes'),
			),
			// What n8n's expression for each item takes by itself, by the same.
			expressionVsRaw: quotient(
				ms('expression', 'http', 1000, 'writes', 'cold'),
				ms('raw', 'http', 1000, 'writes'),
			),
			n8nSequentialVsRaw: quotient(n8nMs, ms('raw', 'http', 1000, 'writes', 'cold')),
			// Throughput, ours by theirs: 1,000 reads over HTTP.
			readsVsRawAt8: quotient(
				ms('raw', 'http', 1000, 'reads8'),
				ms('salvor', 'http', 1000, 'reads8'),
			),
			readsVsRawAt8Constant: quotient(
				ms('raw', 'http', 1000, 'reads8'),
				ms('salvor', 'http', 1000, 'reads8', 'warm constant'),
			),
			readsVsN8nAt8: quotient(n8nMs, ms('salvor', 'http', 1000, 'reads8')),
			readsVsN8nAt8Constant: quotient(
				n8nConstantMs,
				ms('salvor', 'http', 1000, 'reads8', 'warm constant'),
			),
			readsVsN8nAt32: quotient(n8nMs, ms('salvor', 'http', 1000, 'reads32')),
			readsVsN8nAt32Constant: quotient(
				n8nConstantMs,
				ms('salvor', 'http', 1000, 'reads32', 'warm constant'),
			),
			// A whole execution with one call by one that does nothing.
			oneCallVsNoop: quotient(one.manual.http, one.manual.noop),
			oneCallVsNoopByWebhook: quotient(one.webhook.http, one.webhook.noop),
			// One call over stdio in an execution of its own, theirs by ours.
			warmStdioVsN8nNodesMcp: quotient(
				ms('community', 'stdio', 1, 'writes', 'cold'),
				ms('salvor', 'stdio', 1, 'writes'),
			),
			// The same without the first expression of an execution, which takes n8n longer than the call.
			warmStdioVsN8nNodesMcpConstant: quotient(
				ms('community', 'stdio', 1, 'writes', 'cold constant'),
				ms('salvor', 'stdio', 1, 'writes', 'warm constant'),
			),
		},
	};
}

const quotient = (of: number, by: number): number => rounded(of / by, 2);
