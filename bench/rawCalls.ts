import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

/** Where the SDK's client finds the server. */
export type Peer =
	| { readonly kind: 'http'; readonly endpoint: string }
	| { readonly kind: 'stdio'; readonly command: string; readonly args: readonly string[] };

export interface RawRun {
	readonly peer: Peer;
	readonly tool: string;
	readonly calls: number;
	/** How many are in flight. */
	readonly atOnce: number;
	/** Over a connection that stays; else connecting belongs to it. */
	readonly isWarm: boolean;
}

export type RawAnswer = { readonly tookMs: number } | { readonly problem: string };

export interface RawCalls {
	/** Makes the calls and says how many milliseconds they took. */
	readonly run: (run: RawRun) => Promise<number>;
	readonly stop: () => Promise<void>;
}

/** The SDK's client in a process of its own, which has nothing else to do. */
export function openRawCalls(signal: AbortSignal): RawCalls {
	const child = fork(path.join(import.meta.dirname, 'rawCallsProcess.ts'));
	return {
		run: async (run) => {
			const answered = once(child, 'message', { signal });
			child.send(run);
			// eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- the messages of rawCallsProcess.ts
			const [answer] = (await answered) as [RawAnswer];
			if ('problem' in answer) throw new Error(`The SDK’s client failed: ${answer.problem}`);
			return answer.tookMs;
		},
		stop: async () => {
			if (child.exitCode !== null || child.signalCode !== null) return;
			const exited = once(child, 'exit');
			child.kill();
			await exited;
		},
	};
}
