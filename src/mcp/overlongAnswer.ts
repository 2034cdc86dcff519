import { requestId } from './frames';
import type { OverlongLine } from './lineSplitter';
import { maxResponseVariable } from './maxResponse';

const ID = String.raw`"id"\s*:\s*("?)(\d+)\1`;
const VERSION = String.raw`"jsonrpc"\s*:\s*"2\.0"`;
const AT_START = new RegExp(String.raw`^\s*\{\s*(?:${VERSION}\s*,\s*)?${ID}\s*,`);
const AT_END = new RegExp(String.raw`,\s*${ID}\s*(?:,\s*${VERSION}\s*)?\}\s*$`);

/**
 * The id of the request that a line answers which is too long to be read: where a frame states it beside its result, before
 * or behind it. What stands within the result is followed by more than the end of the frame, or not at its start.
 */
export function idOfOverlong({ head, tail }: OverlongLine): number | undefined {
	return requestId((AT_START.exec(head) ?? AT_END.exec(tail))?.[2]);
}

/** Why an answer was not read. */
export const tooLarge = (maxBytes: number): string =>
	`the answer is larger than ${String(Math.round(maxBytes / 1024 / 1024))} MiB (${maxResponseVariable})`;
