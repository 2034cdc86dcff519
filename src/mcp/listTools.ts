import { fail, succeed, type Failure, type Result } from '../outcome/failure';
import type { ListedTool } from '../policy/tool';
import { decodeTool, noteCollisions } from './decodeTool';
import { plainRequest, runExchange, type Line } from './exchange';
import { isRecord } from './frames';
import { tooLarge } from './overlongAnswer';

const maxPages = 1_000;

interface Page {
	readonly entries: readonly unknown[];
	readonly nextCursor: string | undefined;
}

/**
 * All pages of `tools/list` (C4), which the hard limit and the cap of an answer cover together (C3, C6); stops with a failure
 * at a repeated cursor, after 1,000 pages, or at an unreadable page.
 */
export async function listTools(
	line: Line,
	cancel: AbortSignal | undefined,
): Promise<Result<readonly ListedTool[]>> {
	const startedMs = performance.now();
	const { connection, maxMessageBytes } = line.wire;
	let entries: readonly unknown[] = [];
	let bytes = 0;
	const seen = new Set<string>();
	let cursor: string | undefined;
	for (let count = 0; count < maxPages; count += 1) {
		const params = cursor === undefined ? {} : { cursor };
		const page = await runExchange(
			line,
			{
				stage: 'list',
				activity: 'Listing the tools',
				start: plainRequest(line, 'tools/list', params),
				spentMs: performance.now() - startedMs,
			},
			readPage,
			cancel,
		);
		if (!page.ok) return page;
		if (page.value === undefined)
			return fail(unreadable(`${connection} answered with no list of tools.`));
		const isWhole = count === 0 && page.value.nextCursor === undefined;
		// A single page has passed as an answer.
		if (!isWhole) bytes += Buffer.byteLength(JSON.stringify(page.value.entries));
		if (bytes > maxMessageBytes)
			return fail(unreadable(`of all pages together, ${tooLarge(maxMessageBytes)}.`));
		entries = entries.concat(page.value.entries);
		cursor = page.value.nextCursor;
		if (cursor === undefined) return decodeEntries(entries, connection);
		if (seen.has(cursor))
			return fail(
				unreadable(`${connection} gave the same page cursor twice, so its list never ends.`),
			);
		seen.add(cursor);
	}
	return fail(unreadable(`${connection} has more than ${String(maxPages)} pages of tools.`));
}

function readPage(value: unknown): Page | undefined {
	if (!isRecord(value) || !Array.isArray(value['tools'])) return undefined;
	const cursor = value['nextCursor'];
	// Some servers end their list with an empty cursor or null.
	const nextCursor = typeof cursor === 'string' && cursor !== '' ? cursor : undefined;
	return { entries: value['tools'], nextCursor };
}

/** A nameless entry cannot be listed; the first tool of the listing says so. */
function decodeEntries(
	entries: readonly unknown[],
	connection: string,
): Result<readonly ListedTool[]> {
	const decoded = entries.map(decodeTool);
	const named = decoded.filter((tool) => tool !== undefined);
	if (named.length === 0 && entries.length > 0)
		return fail(unreadable(`${connection} lists tools, but none of them has a name.`));
	const missing = entries.length - named.length;
	const tools = noteCollisions(named);
	const [first, ...rest] = tools;
	if (missing === 0 || first === undefined) return succeed(tools);
	const problem = `The listing that holds this tool leaves ${String(missing)} of its ${String(entries.length)} tools without a name; they are left out.`;
	return succeed([{ ...first, problems: [...first.problems, problem] }, ...rest]);
}

const unreadable = (message: string): Failure => ({
	code: 'result-unreadable',
	disposition: 'did-not-happen',
	stage: 'list',
	message: `Listing the tools failed: ${message}`,
	remedy: 'Report this to the makers of the server.',
});
