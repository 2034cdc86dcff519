import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { connectionNames } from './drawCase.ts';
import type { ConnectionName } from './drawCase.ts';
import { connectionVariable, markVariable } from './connections.ts';

/** A process that descends from a server over stdio, whoever is its parent now. */
export interface ServerProcess {
	readonly pid: number;
	readonly group: number;
	readonly connection: ConnectionName | undefined;
}

/** The processes of this machine that have the mark in their environment. Linux alone tells. */
export function serverProcesses(mark: string): readonly ServerProcess[] {
	return readdirSync('/proc')
		.filter((name) => /^\d+$/.test(name))
		.flatMap((name) => {
			const environment = read(name, 'environ').split('\0');
			if (!environment.includes(`${markVariable}=${mark}`)) return [];
			const connection = connectionNames.find((each) =>
				environment.includes(`${connectionVariable}=${each}`),
			);
			// Behind the name, which may hold anything: state, parent, group.
			const group = Number(read(name, 'stat').split(') ').at(-1)?.split(' ')[2]);
			return [{ pid: Number(name), group, connection }];
		});
}

/** Kills them all. */
export function endServers(mark: string): void {
	for (const { pid } of serverProcesses(mark)) {
		try {
			process.kill(pid, 'SIGKILL');
		} catch {
			// It has ended meanwhile.
		}
	}
}

/** How many descriptors a process has open. */
export const openDescriptors = (pid: number): number =>
	readdirSync(`/proc/${String(pid)}/fd`).length;

/** What is no longer there, or not ours, has nothing to say. */
function read(pid: string, file: string): string {
	try {
		return readFileSync(path.join('/proc', pid, file), 'utf8');
	} catch {
		return '';
	}
}
