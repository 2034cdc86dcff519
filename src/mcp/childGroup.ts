import type { ChildProcess } from 'node:child_process';

export interface ExitState {
	readonly exitCode: number | null;
	readonly signal: NodeJS.Signals | null;
}

export interface ChildGroup {
	/** Settles once, when the child itself has exited. */
	readonly exited: Promise<ExitState>;
	/** Ends the child and everything it started (C7): stdin closed, SIGTERM, SIGKILL, each to the group. May be called twice. */
	end(): Promise<void>;
}

/** Patience between two steps of ending a child, in milliseconds. */
const patienceMs = 2_000;
const pollMs = 25;

/** Groups that are still alive; the one piece of state that outlives a session, for the exit hook alone. */
const liveGroups = new Set<number>();
let hooked = false;

function hookProcessExit(): void {
	if (hooked) return;
	hooked = true;
	process.once('exit', () => {
		for (const group of liveGroups) signalGroup(group, 'SIGKILL');
	});
}

/** Follows a child that leads its own process group. */
export function followGroup(child: ChildProcess): ChildGroup {
	const { pid } = child;
	const exited = new Promise<ExitState>((settle) => {
		child.once('exit', (exitCode, signal) => {
			settle({ exitCode, signal });
		});
		if (pid === undefined) settle({ exitCode: null, signal: null });
	});
	if (pid !== undefined) {
		hookProcessExit();
		liveGroups.add(pid);
	}
	let ending: Promise<void> | undefined;

	const endGroup = async (group: number): Promise<void> => {
		child.stdin?.end();
		await within(patienceMs, exited);
		if (isAlive(group)) {
			signalGroup(group, 'SIGTERM');
			if (!(await goneWithin(patienceMs, group))) {
				signalGroup(group, 'SIGKILL');
				await within(patienceMs, exited);
			}
		}
		liveGroups.delete(group);
	};

	return {
		exited,
		end() {
			ending ??= pid === undefined ? Promise.resolve() : endGroup(pid);
			return ending;
		},
	};
}

/** On Windows there are no groups: only the child itself is reached. */
const target = (group: number): number => (process.platform === 'win32' ? group : -group);

function signalGroup(group: number, signal: NodeJS.Signals): void {
	try {
		process.kill(target(group), signal);
	} catch {
		// Already gone.
	}
}

function isAlive(group: number): boolean {
	try {
		return process.kill(target(group), 0);
	} catch {
		return false;
	}
}

async function goneWithin(limitMs: number, group: number): Promise<boolean> {
	const deadline = performance.now() + limitMs;
	while (isAlive(group)) {
		if (performance.now() >= deadline) return false;
		await within(pollMs, new Promise(() => undefined));
	}
	return true;
}

/** Waits for a promise, but no longer than `limitMs`. */
export async function within(limitMs: number, promise: Promise<unknown>): Promise<void> {
	let timer: NodeJS.Timeout | undefined;
	const limit = new Promise<void>((settle) => {
		timer = setTimeout(settle, limitMs);
	});
	try {
		await Promise.race([promise, limit]);
	} finally {
		clearTimeout(timer);
	}
}
