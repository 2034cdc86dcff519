import { spawn } from 'node:child_process';

const TAIL_LINES = 200;

export interface ChildExit {
	readonly code: number | null;
	readonly signal: NodeJS.Signals | null;
}

/** A child process that leads a process group of its own. */
export interface ChildGroup {
	readonly pid: number;
	/** Resolves when the child itself has ended, for whatever reason. */
	readonly exited: Promise<ChildExit>;
	/** The last lines of its output, both streams. */
	readonly logTail: (lines?: number) => string;
	/** Sends `signal` to the child, waits `graceMs`, then kills what is left of its group. */
	readonly stop: (signal?: NodeJS.Signals, graceMs?: number) => Promise<ChildExit>;
	/** Kills the whole group at once. */
	readonly kill: () => Promise<ChildExit>;
}

export interface ChildSpec {
	readonly command: string;
	readonly args: readonly string[];
	readonly cwd: string;
	readonly env: NodeJS.ProcessEnv;
	/** Gets each line of output. */
	readonly log?: ((line: string) => void) | undefined;
}

/** Starts a child in a new process group; throws when the program cannot be started. */
export async function startChildGroup(spec: ChildSpec): Promise<ChildGroup> {
	const tail: string[] = [];
	const child = spawn(spec.command, [...spec.args], {
		cwd: spec.cwd,
		env: spec.env,
		detached: true,
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	const record = (line: string) => {
		tail.push(line);
		if (tail.length > TAIL_LINES) tail.shift();
		spec.log?.(line);
	};
	child.stdout.on('data', lines(record));
	child.stderr.on('data', lines(record));

	const exited = new Promise<ChildExit>((resolve) => {
		child.once('exit', (code, signal) => {
			resolve({ code, signal });
		});
	});
	const pid = await new Promise<number>((resolve, reject) => {
		child.once('error', reject);
		child.once('spawn', () => {
			if (child.pid === undefined) reject(new Error(`${spec.command} got no process id.`));
			else resolve(child.pid);
		});
	});

	const kill = async () => {
		signalGroup(pid, 'SIGKILL');
		return await exited;
	};
	return {
		pid,
		exited,
		kill,
		logTail: (count = TAIL_LINES) => tail.slice(-count).join('\n'),
		stop: async (signal = 'SIGTERM', graceMs = 15_000) => {
			child.kill(signal);
			await Promise.race([exited, timer(graceMs)]);
			return await kill();
		},
	};
}

/** A group whose members are all gone is no error. */
function signalGroup(leader: number, signal: NodeJS.Signals): void {
	try {
		process.kill(-leader, signal);
	} catch (error) {
		if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
	}
}

function lines(onLine: (line: string) => void): (chunk: Buffer) => void {
	let rest = '';
	return (chunk) => {
		const parts = (rest + chunk.toString('utf8')).split('\n');
		rest = parts.pop() ?? '';
		for (const line of parts) onLine(line);
	};
}

async function timer(ms: number): Promise<void> {
	await new Promise<void>((resolve) => {
		setTimeout(resolve, ms).unref();
	});
}
