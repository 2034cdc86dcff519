import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** Whether this system tells of its processes as the functions here read it. */
export const hasProc = process.platform === 'linux';

/** The processes that were started with the text in their environment, whoever their parent is by now. */
export const processesMarked = (mark: string): readonly number[] =>
	processIds().filter((pid) => readOf(pid, 'environ').includes(mark));

/** The children of a process, those included that have ended and were not collected. */
export const childrenOf = (parent: number): readonly number[] =>
	processIds().filter((pid) => {
		// The name before it, in brackets, may hold anything.
		const [, ppid] = readOf(pid, 'stat')
			.replace(/^.*\) /s, '')
			.split(' ');
		return Number(ppid) === parent;
	});

/** What each open descriptor of a process leads to, such as `socket:[1234]`. */
export function descriptorsOf(pid: number): readonly string[] {
	const folder = `/proc/${String(pid)}/fd`;
	return readdirSync(folder).flatMap((descriptor) => {
		try {
			return [readlinkSync(`${folder}/${descriptor}`)];
		} catch {
			// The one that read the folder.
			return [];
		}
	});
}

/** Those of them that lead to other processes of this machine: pipes, and the sockets that Node uses as such. */
export function pipesOf(pid: number): readonly string[] {
	const sockets = new Set(
		readOf(pid, 'net/unix')
			.split('\n')
			.map((line) => `socket:[${line.split(/\s+/)[6] ?? ''}]`),
	);
	return descriptorsOf(pid).filter((to) => to.startsWith('pipe:') || sockets.has(to));
}

const processIds = (): readonly number[] =>
	readdirSync('/proc')
		.map(Number)
		.filter((pid) => Number.isInteger(pid));

/** Nothing for a process that has gone or is somebody else's. */
function readOf(pid: number, file: string): string {
	try {
		return readFileSync(`/proc/${String(pid)}/${file}`, 'utf8');
	} catch {
		return '';
	}
}
