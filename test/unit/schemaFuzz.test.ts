import { setFlagsFromString } from 'node:v8';
import { createContext, Script } from 'node:vm';
import { expect, test } from 'vitest';
import { type CompiledSchema, compileSchema } from '../../src/schema/checkSchema';
import { hostileCase, type HostileCase } from '../support/fuzz/hostileSchemas';
import { numberFrom, randomFor } from '../support/fuzz/random';

/** SALVOR_FUZZ_CASES makes a longer run, SALVOR_FUZZ_SEED another one, SALVOR_FUZZ_ONLY plays one case again. */
const CASES = numberFrom('SALVOR_FUZZ_CASES', 1_000);
const SEED = numberFrom('SALVOR_FUZZ_SEED', 20_261_103);
const ONLY = numberFrom('SALVOR_FUZZ_ONLY', CASES);
const LONGEST_MS = 100;
/** A slow step is played again before it is believed: others use the machine too. */
const REPEATS = 4;

const caseOf = (number: number): HostileCase => hostileCase(randomFor(SEED, number));

setFlagsFromString('--expose-gc');
const collectGarbage = new Script('gc()');
const collector = createContext();

/** Bytes in use once the last hundred schemas are forgotten. */
function heapAtRest(): number {
	for (let at = 0; at < 100; at += 1) compileSchema({ const: `forget ${String(at)}` });
	for (let time = 0; time < 2; time += 1) collectGarbage.runInContext(collector);
	return process.memoryUsage().heapUsed;
}

/** Schemas whose verdicts are known, with the addresses that hostile ones use. */
const WITNESSES: readonly {
	readonly schema: unknown;
	readonly good: unknown;
	readonly bad: unknown;
}[] = [
	{ schema: { type: 'string' }, good: 'a', bad: 1 },
	{ schema: { $id: 'https://example.org/shared', const: 7 }, good: 7, bad: 8 },
	{
		schema: {
			$schema: 'http://json-schema.org/draft-07/schema#',
			properties: { a: { $ref: '#/definitions/a' } },
			definitions: { a: { type: 'integer' } },
		},
		good: { a: 1 },
		bad: { a: 1.5 },
	},
	{
		schema: { $schema: 'http://json-schema.org/draft-04/schema#', id: 'x', uniqueItems: true },
		good: [1, '1'],
		bad: [1, 1],
	},
	{
		schema: {
			$schema: 'https://json-schema.org/draft/2019-09/schema',
			$recursiveAnchor: true,
			properties: { other: { $recursiveRef: '#' } },
			unevaluatedProperties: false,
		},
		good: { other: {} },
		bad: { other: { x: 1 } },
	},
	{
		schema: { $anchor: 'here', $ref: '#/$defs/a', $defs: { a: { pattern: '^a+$' } } },
		good: 'aa',
		bad: 'b',
	},
];

function poisoned(): readonly unknown[] {
	return WITNESSES.filter(({ schema, good, bad }) => {
		const compiled = compileSchema(schema);
		if (compiled.kind !== 'compiled') return true;
		return compiled.check(good).length > 0 || compiled.check(bad).length === 0;
	});
}

interface Step {
	readonly what: string;
	readonly ms: number;
	/** Of the processor, for this thread. */
	readonly cpuMs: number;
}

function timed<T>(what: string, work: () => T): { readonly step: Step; readonly value: T } {
	const begun = performance.now();
	const before = process.threadCpuUsage();
	const value = work();
	const { user, system } = process.threadCpuUsage(before);
	const cpuMs = (user + system) / 1000;
	return { step: { what, ms: performance.now() - begun, cpuMs }, value };
}

/** Compiles and checks; gives the time of each step, and what is wrong with the issues. */
function play({ schema, values }: HostileCase): {
	steps: Step[];
	faults: string[];
	compiled: CompiledSchema;
} {
	const compiling = timed('compile', () => compileSchema(schema));
	const steps = [compiling.step];
	const faults: string[] = [];
	const compiled = compiling.value;
	if (compiled.kind === 'unusable') {
		if (compiled.reason.length > 500 || compiled.reason === '') faults.push(compiled.reason);
		return { steps, faults, compiled };
	}
	for (const [at, value] of values.entries()) {
		const checking = timed(`check ${String(at)}`, () => compiled.check(value));
		steps.push(checking.step);
		if (checking.value.length > 20) faults.push(`${String(checking.value.length)} issues`);
		for (const { path, message } of checking.value) {
			if (!path.startsWith('$') || path.length > 1000) faults.push(`path ${path.slice(0, 100)}`);
			if (message.length > 1000 || !/^[a-z]/.test(message)) faults.push(message.slice(0, 200));
			if (/undefined|\[object/.test(message)) faults.push(message.slice(0, 200));
		}
	}
	return { steps, faults, compiled };
}

const slowest = (steps: readonly Step[]): Step =>
	steps.reduce((slow, step) => (step.cpuMs > slow.cpuMs ? step : slow));

/** The same schema once more, and not from the cache. */
function anew(played: HostileCase, time: number): HostileCase {
	const { schema } = played;
	if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return played;
	return { ...played, schema: { ...schema, 'x-again': time } };
}

test(
	`no schema and no answer takes over ${String(LONGEST_MS)} ms, throws, or spoils another: ${String(CASES)} cases of seed ${String(SEED)}`,
	() => {
		expect(poisoned()).toEqual([]);
		const kinds = { compiled: 0, unusable: 0 };
		const failed: string[] = [];
		let noise = 0;
		let longest: Step & { readonly name: string } = { what: '', ms: 0, cpuMs: 0, name: '' };
		let heapAtQuarter = 0;
		const numbers = ONLY < CASES ? [ONLY] : Array.from({ length: CASES }, (_, at) => at);
		for (const number of numbers) {
			const played = caseOf(number);
			const named = `case ${String(number)}, ${played.name}`;
			try {
				const { steps, faults, compiled } = play(played);
				kinds[compiled.kind] += 1;
				failed.push(...faults.map((fault) => `${named}: ${fault}`));
				let slow = slowest(steps);
				for (let time = 0; time < REPEATS && slow.cpuMs > LONGEST_MS; time += 1) {
					noise += 1;
					const again = slowest(play(anew(played, time)).steps);
					if (again.cpuMs < slow.cpuMs) slow = again;
				}
				if (slow.cpuMs > LONGEST_MS)
					failed.push(`${named}: ${slow.what} ${slow.cpuMs.toFixed(0)} ms`);
				if (slow.cpuMs > longest.cpuMs) longest = { ...slow, name: named };
			} catch (error) {
				failed.push(`${named}: threw ${String(error)}`);
			}
			if (number % 100 === 0)
				failed.push(...poisoned().map((by) => `${named} poisoned ${JSON.stringify(by)}`));
			if (number === Math.floor(CASES / 4)) heapAtQuarter = heapAtRest();
		}
		const grownMb = (heapAtRest() - heapAtQuarter) / 2 ** 20;
		console.info(
			`Schema fuzz, seed ${String(SEED)}: ${String(numbers.length)} cases, ${String(kinds.compiled)} compiled, ${String(kinds.unusable)} unusable; ` +
				`longest ${longest.cpuMs.toFixed(0)} ms of the processor (${longest.name}, ${longest.what}), ${String(noise)} steps played again; heap grew by ${grownMb.toFixed(1)} MB`,
		);
		expect(failed.slice(0, 60)).toEqual([]);
		if (numbers.length > 1) expect(grownMb).toBeLessThan(8);
	},
	600_000 + CASES * 10,
);
