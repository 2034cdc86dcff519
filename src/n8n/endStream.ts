import type { IExecuteFunctions } from 'n8n-workflow';

/**
 * Tells the reader of a streamed response that it ends here: n8n closes the stream when the execution waits, and what
 * comes after the wait is not streamed. Does nothing in a run that is not streamed.
 */
export function endStream(context: IExecuteFunctions, wakeAt: Date | undefined): void {
	if (!context.isStreaming()) return;
	const until = wakeAt === undefined ? 'for an answer' : `until ${wakeAt.toISOString()}`;
	context.sendChunk('begin', 0);
	context.sendChunk(
		'item',
		0,
		`The run waits ${until} and goes on later. This response ends here.`,
	);
	context.sendChunk('end', 0);
}
