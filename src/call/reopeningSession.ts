import { fail, succeed, type Failure, type Result } from '../outcome/failure';
import type { McpSession } from './session';

interface Held {
	readonly session: McpSession;
	/** True once the server said that it does not know the session. */
	lost: boolean;
	/** Requests that wait for their answer. */
	underWay: number;
}

/**
 * A session for one run that opens again. Every request goes to the same open session, `first` to begin with; once that has
 * closed, or a request found it lost, the next request opens another, and all that come meanwhile share the opening.
 * Nothing is sent twice: a request that failed has failed, the next attempt finds the new session. A lost session keeps the
 * requests that are under way on it. A failed opening is the failure of those that waited for it; the next request tries again.
 */
export function reopeningSession(
	first: McpSession,
	open: () => Promise<Result<McpSession>>,
): McpSession {
	let held: Held = hold(first);
	const everHeld = [held];
	let opening: Promise<Result<Held>> | undefined;
	let ended = false;

	const take = async (): Promise<Result<Held>> => {
		if (ended) return fail(afterTheEnd);
		if (isUsable(held)) return succeed(held);
		opening ??= replace();
		return await opening;
	};

	const replace = async (): Promise<Result<Held>> => {
		closeIfDone(held);
		const opened = await open();
		opening = undefined;
		if (!opened.ok) return opened;
		held = hold(opened.value);
		everHeld.push(held);
		return succeed(held);
	};

	const through = async <T>(
		request: (session: McpSession) => Promise<Result<T>>,
	): Promise<Result<T>> => {
		const taken = await take();
		if (!taken.ok) return taken;
		const used = taken.value;
		used.underWay += 1;
		const answer = await request(used.session);
		used.underWay -= 1;
		used.lost ||= !answer.ok && answer.failure.code === 'session-lost';
		closeIfDone(used);
		return answer;
	};

	return {
		server: first.server,
		protocolVersion: first.protocolVersion,
		isOpen: () => !ended && isUsable(held),
		listTools: (signal) => through((session) => session.listTools(signal)),
		callTool: (request, signal) => through((session) => session.callTool(request, signal)),
		async close() {
			ended = true;
			await opening;
			await Promise.all(everHeld.map(({ session }) => session.close()));
		},
	};
}

const hold = (session: McpSession): Held => ({ session, lost: false, underWay: 0 });

const isUsable = ({ session, lost }: Held): boolean => !lost && session.isOpen();

/** Does not wait for the end; the whole's own close does. */
function closeIfDone(held: Held): void {
	if (!isUsable(held) && held.underWay === 0) void held.session.close();
}

const afterTheEnd: Failure = {
	code: 'connection-lost',
	disposition: 'did-not-happen',
	stage: 'connect',
	message: 'The connection was closed at the end of the run, before the request was sent',
};
