import type { IExecuteFunctions } from 'n8n-workflow';

/** n8n's types say that it returns nothing; it is a promise. */
type Send = (type: 'begin' | 'item' | 'end', item: number, content?: string) => unknown;

/**
 * Tells the reader of a streamed response that it ends here: n8n closes the stream when the execution waits, and what
 * comes after the wait is not streamed. Does nothing in a run that is not streamed. Never rejects: the run parks, told or not.
 */
export async function endStream(
	context: IExecuteFunctions,
	wakeAt: Date | undefined,
): Promise<void> {
	const until = wakeAt === undefined ? 'for an answer' : `until ${wakeAt.toISOString()}`;
	const text = `The run waits ${until} and goes on later. This response ends here.`;
	try {
		if (!context.isStreaming()) return;
		const send: Send = context.sendChunk.bind(context);
		for (const [type, content] of [['begin'], ['item', text], ['end']] as const) {
			await send(type, 0, content);
		}
	} catch (error) {
		const problem = error instanceof Error ? error.message : String(error);
		context.logger.warn(`The end of a streamed response could not be sent: ${problem}`);
	}
}
