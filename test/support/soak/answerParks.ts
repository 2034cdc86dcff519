import { deepEqual, equal, ok } from 'node:assert/strict';
import type { Execution } from '../../../scripts/host/executionData.ts';
import { isJson } from '../../../scripts/host/json.ts';
import type { N8nRest } from '../../../scripts/host/n8nRest.ts';
import type { Nonsense, SoakCase } from './drawCase.ts';

const ACCEPT = { accept: 'application/json' };
const JSON_BODY = { ...ACCEPT, 'content-type': 'application/json' };

/** Answers every item that waits, the last one first; each is sent the case's nonsense before, and has to stay parked. */
export async function answerParks(
	rest: N8nRest,
	{ id, runData }: Execution,
	{ calls, nonsense }: SoakCase,
): Promise<void> {
	const items = runData.Call?.at(-1)?.outputs[0] ?? [];
	const waiting = calls.flatMap(({ n }, at) => {
		const call = items[at]?.json.call;
		const park = isJson(call) && isJson(call.park) ? call.park : {};
		return typeof park.resumeUrl === 'string' ? [{ n, url: park.resumeUrl }] : [];
	});
	ok(waiting.length > 0, 'The execution waits, and no item of it');
	for (const [at, { n, url }] of waiting.toReversed().entries()) {
		for (const each of nonsense) {
			equal(await isRefused(url, each, n), true, `Nonsense (${each}) was not refused`);
		}
		equal((await rest.execution(id)).status, 'waiting', 'The status after nonsense');
		const remaining = waiting.length - 1 - at;
		const response = await fetch(url, {
			method: 'POST',
			headers: JSON_BODY,
			body: JSON.stringify({ n, approved: true }),
		});
		deepEqual(
			[response.status, await response.json()],
			remaining === 0 ? [200, { status: 'resumed' }] : [202, { status: 'recorded', remaining }],
			'The answer to an answer',
		);
	}
}

async function isRefused(url: string, nonsense: Nonsense, n: number): Promise<boolean> {
	const status = await statusOf(url, nonsense, n);
	switch (nonsense) {
		case 'no JSON':
			return [400, 415, 422].includes(status);
		case 'misfit':
		case 'nothing':
			return [400, 415, 422].includes(status);
		case 'too large':
			return status === 413;
		case 'look':
			return status === 200;
	}
}

async function statusOf(url: string, nonsense: Nonsense, n: number): Promise<number> {
	const post = async (body: string) =>
		(await fetch(url, { method: 'POST', headers: JSON_BODY, body })).status;
	switch (nonsense) {
		case 'no JSON':
			return await post('{"n": ');
		case 'misfit':
			return await post(JSON.stringify({ n: String(n), approved: true }));
		case 'nothing':
			return (await fetch(url, { method: 'POST', headers: ACCEPT })).status;
		case 'too large':
			return await post(JSON.stringify({ n, approved: true, note: 'x'.repeat(2 * 1024 ** 2) }));
		case 'look':
			return (await fetch(url, { headers: ACCEPT })).status;
	}
}
