import { openSession } from '../../../../src/mcp/openSession';
import { failureTitle } from '../../../../src/n8n/failureText';
import { failureOf, http, valueOf } from '../../../support/connections';
import { startHttpPeer, well } from '../../../support/servers/httpPeer';
import type { Situations } from './situations';

/** What is said of a server that answers each `tools/list` with what `list` gives for the number of the page, from 0. */
async function listing(list: (page: number) => unknown): Promise<string> {
	const peer = await startHttpPeer(({ message }) =>
		message.method === 'tools/list'
			? { kind: 'result', result: list(Number(message.params?.['cursor'] ?? 0)) }
			: well,
	);
	const env = { SALVOR_MAX_RESPONSE_MB: '0.1' };
	const session = valueOf(await openSession({ env })(http(peer.url)));
	try {
		return failureTitle(failureOf(await session.listTools()));
	} finally {
		await session.close();
		await peer.stop();
	}
}

export const listings: Situations = {
	'a listing that is none': () => listing(() => ({ content: [] })),
	'a listing without names': () => listing(() => ({ tools: [{ title: 'Pay' }] })),
	'a listing that goes round': () => listing(() => ({ tools: [], nextCursor: '7' })),
	'a listing of too many pages': () =>
		listing((page) => ({ tools: [], nextCursor: String(page + 1) })),
	'a listing that is too large': () =>
		listing((page) => ({
			tools: [{ name: 'pay', description: 'x'.repeat(60_000) }],
			nextCursor: String(page + 1),
		})),
};
