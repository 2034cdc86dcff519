import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A disk of 4 MiB that a test can fill, or make read-only. */
export interface SmallDisk {
	readonly folder: string;
	readonly fill: () => void;
	readonly free: () => void;
	readonly makeReadOnly: () => void;
	readonly remove: () => void;
}

/** Mounts the disk; undefined where mounting is not allowed (it takes Linux and its root user). */
export function smallDisk(): SmallDisk | undefined {
	const folder = mkdtempSync(join(tmpdir(), 'salvor-disk-'));
	if (run('mount', '-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', folder) !== 0) {
		rmSync(folder, { recursive: true });
		return undefined;
	}
	const filler = join(folder, 'filler');
	return {
		folder,
		fill: () => {
			const { bavail, bsize } = statfsSync(folder);
			writeFileSync(filler, Buffer.alloc(bavail * bsize));
		},
		free: () => rmSync(filler),
		makeReadOnly: () => {
			if (run('mount', '-o', 'remount,ro', folder) !== 0) throw new Error('Cannot remount.');
		},
		remove: () => {
			run('umount', '-l', folder);
			rmSync(folder, { recursive: true, force: true });
		},
	};
}

const run = (command: string, ...parameters: readonly string[]): number | null =>
	spawnSync(command, parameters).status;
