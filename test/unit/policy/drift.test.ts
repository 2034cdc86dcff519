import { describe, expect, it } from 'vitest';

import { sha256 } from '../../../nodes/shared/sha256';
import type { ConnectionPolicy } from '../../../src/policy/connectionPolicy';
import { describeTool } from '../../../src/policy/describeTool';
import { type Baseline, findDrift, NO_DRIFT, PARTS } from '../../../src/policy/drift';
import { fingerprintText } from '../../../src/policy/fingerprint';
import { baselineOf, readBaseline } from '../../../src/policy/readBaseline';
import type { ListedTool } from '../../../src/policy/tool';
import { numberFrom, randomFor } from '../../support/fuzz/random';

const CASES = numberFrom('SALVOR_DRIFT_CASES', 300);
const SEED = numberFrom('SALVOR_DRIFT_SEED', 1);

const policy: ConnectionPolicy = {
	tools: [{ name: 'pay', effect: 'write', access: 'allowed' }],
	unlistedTools: 'allow',
	useServerHints: true,
};

const tool = (name: string, more: Partial<ListedTool> = {}): ListedTool => ({
	name,
	description: 'Does it',
	inputSchema: { type: 'object' },
	problems: [],
	...more,
});

const fingerprint = (of: ListedTool) => sha256(fingerprintText(of));
const present = (tools: readonly ListedTool[]) =>
	tools.map((each) => ({
		described: describeTool(each, policy),
		fingerprint: fingerprint(each),
	}));

/** The three forms of a baseline. */
const remembered = (tools: readonly ListedTool[]): Baseline =>
	baselineOf(
		tools.map((each) => ({ name: each.name, text: fingerprintText(each) })),
		sha256,
	);
const given = (value: unknown): Baseline => {
	const reading = readBaseline(value);
	if (reading.kind === 'refused') throw new Error(reading.problem);
	return reading.baseline;
};
const listedBefore = (tools: readonly ListedTool[]): Baseline =>
	given(
		tools.map((each) => ({
			tool: each.name,
			fingerprint: fingerprint(each),
			effect: 'write',
			...Object.fromEntries(PARTS.map((part) => [part, each[part] ?? null])),
		})),
	);
const fingerprintsBefore = (tools: readonly ListedTool[]): Baseline =>
	given(Object.fromEntries(tools.map((each) => [each.name, fingerprint(each)])));

const FORMS = [
	['remembered texts', remembered],
	['what List put out', listedBefore],
	['fingerprints alone', fingerprintsBefore],
] as const;

describe.each(FORMS)('drift against %s (G4)', (form, baselineFrom) => {
	const tells = form !== 'fingerprints alone';
	const drift = (before: readonly ListedTool[], now: readonly ListedTool[]) =>
		findDrift(baselineFrom(before), present(now));

	it('of the same tools is none, whatever their order', () => {
		const tools = [tool('pay'), tool('look', { outputSchema: { type: 'object' } })];
		expect(drift(tools, [...tools].reverse())).toEqual({ ...NO_DRIFT, unchanged: 2 });
	});

	it('of no tools at all is none', () => {
		expect(drift([], [])).toEqual(NO_DRIFT);
	});

	it('names what came and what went, case included (E7)', () => {
		const before = [tool('pay'), tool('__proto__'), tool('stays')];
		expect(drift(before, [tool('stays'), tool('Pay'), tool('constructor')])).toEqual({
			...NO_DRIFT,
			added: ['Pay', 'constructor'],
			removed: ['pay', '__proto__'],
			unchanged: 1,
			drifted: true,
		});
	});

	it.each<[string, Partial<ListedTool>, readonly string[]]>([
		['description', { description: 'Does more' }, ['description']],
		['inputSchema', { inputSchema: { type: 'object', required: ['id'] } }, ['inputSchema']],
		['outputSchema', { outputSchema: { type: 'object' } }, ['outputSchema']],
		['annotations', { annotations: { readOnlyHint: true } }, ['annotations']],
		[
			'all of them',
			{ description: '', inputSchema: 3, outputSchema: {}, annotations: {} },
			['description', 'inputSchema', 'outputSchema', 'annotations'],
		],
	])('of %s is told as far as the baseline lets tell', (_, change, changes) => {
		const before = tool('look');
		const now = tool('look', change);
		expect(drift([before], [now])).toEqual({
			...NO_DRIFT,
			changed: [
				{
					tool: 'look',
					changes: tells ? changes : [],
					fingerprint: fingerprint(now),
					previousFingerprint: fingerprint(before),
				},
			],
			drifted: true,
		});
	});

	it('of a title alone is none', () => {
		expect(drift([tool('pay')], [tool('pay', { title: 'Pay' })]).drifted).toBe(false);
	});

	it('brings the overclaims that its annotations bring anew (G3)', () => {
		const before = tool('pay', { annotations: { idempotentHint: true } });
		const now = tool('pay', { annotations: { idempotentHint: true, readOnlyHint: true } });
		expect(drift([before], [now]).newOverclaims).toEqual([
			{
				tool: 'pay',
				overclaims: tells ? ['readOnlyHint: true'] : ['readOnlyHint: true', 'idempotentHint: true'],
			},
		]);
		expect(drift([now], [now]).newOverclaims).toEqual([]);
		expect(drift([now], [before]).newOverclaims).toEqual(
			tells ? [] : [{ tool: 'pay', overclaims: ['idempotentHint: true'] }],
		);
		expect(drift([], [before]).newOverclaims).toEqual([
			{ tool: 'pay', overclaims: ['idempotentHint: true'] },
		]);
	});

	it('is exactly what was done to the tools, over random changes', () => {
		for (let at = 0; at < CASES; at += 1) {
			const random = randomFor(SEED, at);
			const before = Array.from({ length: random.int(0, 6) }, (_, n) => tool(`t${String(n)}`));
			const done: Record<string, string[]> = { removed: [], changed: [], kept: [] };
			const now = before.flatMap((each) => {
				const fate = random.pick(['removed', 'changed', 'kept']);
				done[fate]?.push(each.name);
				if (fate === 'removed') return [];
				return fate === 'kept' ? [each] : [tool(each.name, { description: `Changed ${at}` })];
			});
			const added = random.chance(0.5) ? [tool('fresh')] : [];
			const result = drift(before, random.shuffled([...now, ...added]));
			expect({ at, removed: result.removed }).toEqual({ at, removed: done['removed'] });
			expect(result.changed.map((each) => each.tool).sort()).toEqual(done['changed']);
			expect(result.added).toEqual(added.map(({ name }) => name));
			expect(result.unchanged).toBe(done['kept']?.length);
			expect(result.drifted).toBe(result.unchanged < before.length || added.length > 0);
		}
	});
});

describe('a baseline', () => {
	const good = 'a'.repeat(64);

	it('in capitals is the same', () => {
		expect(given({ pay: good.toUpperCase() }).get('pay')?.fingerprint).toBe(good);
	});

	it('may be empty: then everything is added', () => {
		for (const empty of [[], {}]) {
			expect(findDrift(given(empty), present([tool('pay')])).added).toEqual(['pay']);
		}
	});

	it('tells only of the parts that it holds', () => {
		const partial = [{ tool: 'pay', fingerprint: good, description: 'Did it' }];
		const now = tool('pay', { inputSchema: false });
		expect(findDrift(given(partial), present([now])).changed[0]?.changes).toEqual(['description']);
	});

	it.each<[string, unknown, string]>([
		['a text', 'x', 'must be an array of tools or an object of fingerprints'],
		['null', null, 'must be an array of tools or an object of fingerprints'],
		['a number', 7, 'must be an array of tools or an object of fingerprints'],
		['items of n8n', [{ json: { tool: 'pay' } }], 'has no tool name in entry 1'],
		['a row that is no object', [['pay', good]], 'has no tool name in entry 1'],
		['an empty name', { '': good }, 'has no tool name in entry 1'],
		['an inherited name', [Object.create({ tool: 'pay' })], 'has no tool name in entry 1'],
		['no fingerprint', [{ tool: 'pay' }], 'has no fingerprint of 64 hexadecimal digits for "pay"'],
		[
			'a short fingerprint',
			{ pay: good.slice(1) },
			'has no fingerprint of 64 hexadecimal digits for "pay"',
		],
		[
			'one tool twice',
			[
				{ tool: 'pay', fingerprint: good },
				{ tool: 'pay', fingerprint: good },
			],
			'names "pay" twice',
		],
	])('that is or holds %s is refused', (_, value, problem) => {
		expect(readBaseline(value)).toEqual({ kind: 'refused', problem });
	});

	it('of remembered texts that are no JSON tells no parts, and still that they differ', () => {
		const before = baselineOf([{ name: 'pay', text: 'torn' }], sha256);
		expect(findDrift(before, present([tool('pay')])).changed).toMatchObject([
			{ tool: 'pay', changes: [], previousFingerprint: sha256('torn') },
		]);
	});
});
