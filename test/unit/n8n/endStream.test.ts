import type { IExecuteFunctions } from 'n8n-workflow';
import { expect, it } from 'vitest';

import { endStream } from '../../../src/n8n/endStream';

/** As much of n8n's context as the function looks at; `send` takes each chunk. */
function contextWith(isStreaming: boolean, send: (...chunk: unknown[]) => Promise<void>) {
	const warnings: string[] = [];
	const context = {
		isStreaming: () => isStreaming,
		sendChunk: send,
		logger: { warn: (message: string) => warnings.push(message) },
	} as unknown as IExecuteFunctions;
	return { context, warnings };
}

it('sends nothing in a run that is not streamed', async () => {
	const { context } = contextWith(false, () => Promise.reject(new Error('sent')));
	await expect(endStream(context, undefined)).resolves.toBeUndefined();
});

it('sends one text, each chunk after the one before it has gone', async () => {
	const chunks: unknown[][] = [];
	let sending = 0;
	const { context } = contextWith(true, async (...chunk) => {
		expect(sending++).toBe(0);
		await Promise.resolve();
		sending--;
		chunks.push(chunk);
	});
	await endStream(context, new Date('2030-01-02T03:04:05Z'));
	expect(chunks).toEqual([
		['begin', 0, undefined],
		[
			'item',
			0,
			'The run waits until 2030-01-02T03:04:05.000Z and goes on later. This response ends here.',
		],
		['end', 0, undefined],
	]);
});

it('an n8n that knows no streams does not keep the run from parking', async () => {
	const warnings: string[] = [];
	const logger = { warn: (message: string) => warnings.push(message) };
	await endStream({ logger } as unknown as IExecuteFunctions, undefined);
	expect(warnings).toHaveLength(1);
});

it('a reader who has gone does not keep the run from parking', async () => {
	const { context, warnings } = contextWith(true, () =>
		Promise.reject(new Error('write after end')),
	);
	await expect(endStream(context, undefined)).resolves.toBeUndefined();
	expect(warnings).toEqual([expect.stringContaining('write after end')]);
});
