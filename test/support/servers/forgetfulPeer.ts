import { type Behaviour, type HttpPeer, type PeerRequest, startHttpPeer, well } from './httpPeer';

export interface ForgetfulPeer extends HttpPeer {
	/** From now on the server answers 404 to all sessions that it has given out. */
	forget(): void;
	/** How many sessions it has given out. */
	initialises(): number;
	/** The ids of the sessions that were deleted. */
	deleted(): readonly (string | undefined)[];
}

/** A server whose sessions the test forgets; each initialise gives a session of its own, numbered from 1. */
export async function startForgetfulPeer(
	decide: (request: PeerRequest) => Behaviour | undefined = () => undefined,
): Promise<ForgetfulPeer> {
	let initialises = 0;
	let oldest = 1;
	const peer = await startHttpPeer((request) => {
		const decided = decide(request);
		if (decided !== undefined) return decided;
		const { id, method, params } = request.message;
		if (method === 'initialize') {
			initialises += 1;
			const result = {
				protocolVersion: params?.['protocolVersion'],
				capabilities: { tools: {} },
				serverInfo: { name: 'forgetful', version: '1' },
			};
			return answer(id, result, { 'mcp-session-id': String(initialises) });
		}
		if (!(Number(request.headers['mcp-session-id']) >= oldest)) {
			return { kind: 'answer', status: 404 };
		}
		switch (method) {
			case 'tools/call':
				return answer(id, { content: [] });
			case 'tools/list':
				return answer(id, { tools: [{ name: 'work', inputSchema: {} }] });
			case 'ping':
				return answer(id, {});
			default:
				return well;
		}
	});
	return {
		...peer,
		forget: () => {
			oldest = initialises + 1;
		},
		initialises: () => initialises,
		deleted: () =>
			peer.seen
				.filter(({ httpMethod }) => httpMethod === 'DELETE')
				.map(({ headers }) => headers['mcp-session-id']?.toString()),
	};
}

/** A result frame, without the session header that `well` would add. */
export const answer = (
	id: number | undefined,
	result: unknown,
	headers: Record<string, string> = {},
): Behaviour => ({
	kind: 'answer',
	status: 200,
	type: 'application/json',
	headers,
	body: JSON.stringify({ jsonrpc: '2.0', id, result }),
});
