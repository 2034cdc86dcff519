import type { IExecuteFunctions } from 'n8n-workflow';

import type { Progress } from '../../src/call/session';

/** How long a call says nothing after it has said something, in milliseconds. */
const PAUSE_MS = 1_000;

/** What one call tells. */
export interface CallProgress {
	readonly hear: (told: Progress) => void;
	/** The call is over: what was not said yet is not said any more. */
	readonly end: () => void;
}

/**
 * Says in the console of the editor's browser how far the servers are (C3): n8n shows nothing else of a node that still
 * runs. Undefined for executions that no editor started.
 */
export function progressTeller(
	context: IExecuteFunctions,
): ((tool: string, item: number) => CallProgress) | undefined {
	if (context.getMode() !== 'manual') return undefined;
	return (tool, item) =>
		paced((told) => {
			context.sendMessageToUI(`${tool}, item ${String(item)}: ${inWords(told)}`);
		});
}

/** Says the first at once, and after each pause the latest of what came in it. */
function paced(say: (told: Progress) => void): CallProgress {
	let latest: Progress | undefined;
	let pause: NodeJS.Timeout | undefined;
	const sayLatest = (): void => {
		pause = undefined;
		if (latest === undefined) return;
		say(latest);
		latest = undefined;
		pause = setTimeout(sayLatest, PAUSE_MS);
	};
	return {
		hear(told) {
			latest = told;
			if (pause === undefined) sayLatest();
		},
		end() {
			clearTimeout(pause);
		},
	};
}

function inWords({ progress, total, message }: Progress): string {
	const amount = total === undefined ? String(progress) : `${String(progress)} of ${String(total)}`;
	return message === undefined ? amount : `${amount}, ${message}`;
}
