import { describe, expect, it } from 'vitest';

import { type Attempt, inAttempts, type Retrying } from '../../../src/call/attempts';
import type { ToolResult } from '../../../src/call/session';
import type { Result } from '../../../src/outcome/failure';
import type { Effect } from '../../../src/policy/effect';
import {
	broken,
	errorResult,
	hangs,
	type Scripted,
	scriptedSession,
	textResult,
} from '../../support/scriptedSession';
import { retryingOn, virtualClock, type VirtualClock } from '../../support/virtualClock';

const asAttempt = (answer: Result<ToolResult>): Attempt<ToolResult> => {
	if (!answer.ok) return { kind: 'failed', failure: answer.failure };
	if (answer.value['isError'] !== true) return { kind: 'ended', value: answer.value };
	const failed = broken('tool-error', 'landed');
	return failed.ok ? { kind: 'ended', value: answer.value } : asFailure(failed, answer.value);
};
const asFailure = (failed: ReturnType<typeof broken>, result: ToolResult): Attempt<never> =>
	failed.ok ? { kind: 'ended', value: failed.value } : { ...failed, kind: 'failed', result };

async function attempts(
	script: readonly Scripted[],
	{
		effect = 'read',
		keyed = false,
		clock = virtualClock(),
		signal,
		...more
	}: Partial<Retrying> & {
		readonly effect?: Effect;
		readonly keyed?: boolean;
		readonly clock?: VirtualClock;
		readonly signal?: AbortSignal;
	} = {},
) {
	const session = scriptedSession(...script);
	const tried = await inAttempts<ToolResult>(
		{ retrying: retryingOn(clock, more), effect, keyed, signal },
		async (until) => asAttempt(await session.callTool({ name: 'pay', arguments: {} }, until)),
	);
	return { tried, sent: session.sent.length, waits: clock.waits };
}

const unreachable = broken('unreachable', 'did-not-happen', { stage: 'connect' });
const timedOut = broken('timed-out', 'in-doubt');

describe('attempts (failures.md, Retry by effect)', () => {
	it('one that ends well is the only one, and leaves no record of failures', async () => {
		const { tried, sent, waits } = await attempts([textResult('paid')]);
		expect(tried).toMatchObject({ kind: 'ended', record: { attempts: 1 } });
		expect(tried.record).not.toHaveProperty('failedAttempts');
		expect([sent, waits]).toEqual([1, []]);
	});

	it('the default is three in all, with growing waits between, and each is recorded', async () => {
		const { tried, sent, waits } = await attempts([unreachable], { effect: 'write' });
		expect(sent).toBe(3);
		expect(waits).toEqual([100, 200]);
		const entry = { code: 'unreachable', disposition: 'did-not-happen', stage: 'connect' };
		expect(tried).toMatchObject({
			kind: 'failed',
			failure: { code: 'unreachable' },
			record: {
				attempts: 3,
				failedAttempts: [
					{ ...entry, number: 1 },
					{ ...entry, number: 2 },
					{ ...entry, number: 3 },
				],
			},
		});
	});

	it('a failure before the success is recorded', async () => {
		const { tried } = await attempts([unreachable, textResult('paid')], { effect: 'write' });
		expect(tried).toMatchObject({
			kind: 'ended',
			record: { attempts: 2, failedAttempts: [{ number: 1, code: 'unreachable' }] },
		});
	});

	it('a single failure is told by the call, not by a list', async () => {
		const { tried } = await attempts([broken('unauthorized', 'did-not-happen')]);
		expect(tried).toMatchObject({ failure: { code: 'unauthorized' }, record: { attempts: 1 } });
		expect(tried.record).not.toHaveProperty('failedAttempts');
	});

	it('Retry-After sets the wait', async () => {
		const limited = broken('rate-limited', 'did-not-happen', {
			evidence: { retryAfterMs: 7_000 },
		});
		const { waits } = await attempts([limited, textResult('paid')], { effect: 'write' });
		expect(waits).toEqual([7_000]);
	});

	it('a write in doubt is never followed by another attempt', async () => {
		const { tried, sent } = await attempts([timedOut, textResult('paid twice')], {
			effect: 'write',
			keyed: true,
		});
		expect(sent).toBe(1);
		expect(tried).toMatchObject({ failure: { code: 'timed-out', disposition: 'in-doubt' } });
	});

	it('a write is sent on as long as nothing of it happened, and not once it is in doubt', async () => {
		const { tried, sent } = await attempts([unreachable, timedOut, textResult('paid twice')], {
			effect: 'write',
		});
		expect(sent).toBe(2);
		expect(tried).toMatchObject({
			failure: { code: 'timed-out', disposition: 'in-doubt' },
			record: { attempts: 2 },
		});
	});

	it('a read that was in doubt and then ends well is completed', async () => {
		const { tried } = await attempts([timedOut, textResult('seen')]);
		expect(tried).toMatchObject({ kind: 'ended', record: { attempts: 2 } });
	});
});

describe('a call is as bad as its worst attempt', () => {
	it('a refused second attempt does NOT clear an in-doubt first, which is the one that is told', async () => {
		const { tried } = await attempts([timedOut, unreachable, unreachable]);
		expect(tried).toMatchObject({
			failure: { code: 'timed-out', disposition: 'in-doubt' },
			record: {
				failedAttempts: [
					{ disposition: 'in-doubt' },
					{ disposition: 'did-not-happen' },
					{ disposition: 'did-not-happen' },
				],
			},
		});
	});

	it("a tool's error after a doubt keeps its words and its result, and stays in doubt", async () => {
		const { tried } = await attempts([timedOut, errorResult('no')]);
		expect(tried).toMatchObject({
			failure: {
				code: 'tool-error',
				disposition: 'in-doubt',
				remedy: expect.stringMatching(
					/^Find out what the call did before calling again\./,
				) as unknown,
			},
			result: { isError: true },
		});
	});
});

describe('what ends the attempts early', () => {
	it('a wait that would go beyond the total limit is not begun', async () => {
		const limited = broken('rate-limited', 'did-not-happen', {
			evidence: { retryAfterMs: 30_000 },
		});
		const { tried, sent, waits } = await attempts([limited], { maxDurationMs: 30_000 });
		expect([sent, waits]).toEqual([1, []]);
		expect(tried).toMatchObject({ failure: { code: 'rate-limited' } });
	});

	it('the total limit ends a later attempt, which then timed out, at what is known of it', async () => {
		const clock = virtualClock();
		const hanging: Scripted = async (request, signal) => {
			setImmediate(clock.passLimit);
			return typeof hangs === 'function' ? await hangs(request, signal) : hangs;
		};
		const { tried } = await attempts([unreachable, hanging], { effect: 'write', clock });
		expect(tried).toMatchObject({
			failure: {
				code: 'timed-out',
				disposition: 'in-doubt',
				message: expect.stringContaining('3600 seconds of Maximum Duration'),
				remedy: expect.stringMatching(
					/^Find out what the call did before calling again\. Find out/,
				),
			},
			record: { attempts: 2 },
		});
	});

	const runAgain = 'Run the workflow again if this was not intended.';
	const lookFirst =
		'Find out what the call did before calling again. Look up at the server whether it happened.';

	it.each([
		[unreachable, 'did-not-happen', runAgain],
		[timedOut, 'in-doubt', lookFirst],
	] as const)('a cancel ends a wait at once, and says what is known: %#', async (...row) => {
		const [first, known, remedy] = row;
		const clock = virtualClock();
		clock.stop();
		const cancel = new AbortController();
		const running = attempts([first], { clock, signal: cancel.signal });
		await new Promise(setImmediate);
		expect(clock.waits).toEqual([100]);
		cancel.abort();
		const { tried, sent } = await running;
		expect(sent).toBe(1);
		expect(tried).toMatchObject({
			failure: { code: 'cancelled', disposition: known, remedy },
			record: { attempts: 1, failedAttempts: [{ number: 1 }] },
		});
	});

	it('a cancelled attempt is not followed by another', async () => {
		const cancelled = broken('cancelled', 'did-not-happen');
		expect((await attempts([cancelled])).sent).toBe(1);
	});

	it('an attempt that is cancelled unsent does not advise to run again what an earlier one may have done', async () => {
		const unsent = broken('cancelled', 'did-not-happen', { remedy: runAgain });
		const { tried } = await attempts([timedOut, unsent]);
		expect(tried).toMatchObject({
			failure: { code: 'cancelled', disposition: 'in-doubt', remedy: lookFirst },
		});
		expect((await attempts([unreachable, unsent])).tried).toMatchObject({
			failure: { code: 'cancelled', disposition: 'did-not-happen', remedy: runAgain },
		});
	});
});
