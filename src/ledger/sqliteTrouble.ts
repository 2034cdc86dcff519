import type { Trouble } from './unavailable';

/** SQLite's primary result codes, by what an operator can do about them. */
const TROUBLES: Readonly<Record<number, Trouble>> = {
	5: {
		problem: 'was held by another process for too long',
		remedy: 'Try again; if it lasts, look for a program that keeps the file locked.',
	},
	8: {
		problem: 'cannot be written: the file is read-only',
		remedy: 'Make the file and its folder writable for n8n, or set SALVOR_LEDGER to another place.',
	},
	10: {
		problem: 'cannot be read or written: the disk reported an error',
		remedy: 'Check the disk that holds the file, or set SALVOR_LEDGER to another place.',
	},
	11: {
		problem: 'is damaged',
		remedy: 'Restore the file from a backup, or move it away and let a new one be made.',
	},
	13: {
		problem: 'cannot be written: the disk is full',
		remedy: 'Free space on the disk that holds the file, or set SALVOR_LEDGER to another place.',
	},
	14: {
		problem: 'cannot be opened as a file',
		remedy:
			'Check that it is a file, not a folder, which n8n may read and write, or set SALVOR_LEDGER to another place.',
	},
	15: {
		problem: 'was held by other processes for too long',
		remedy: 'Try again; keep the file on a local disk, not on a network share.',
	},
	26: {
		problem: 'is damaged or not a SQLite database',
		remedy: 'Restore the file from a backup, or set SALVOR_LEDGER to another file.',
	},
};

/** Node's codes for what goes wrong outside of SQLite. */
const FILE_TROUBLES: Readonly<Record<string, Trouble>> = {
	ENOENT: {
		problem: 'cannot be made: its folder does not exist',
		remedy: 'Create the folder, or set SALVOR_LEDGER to another file.',
	},
	ENOTDIR: {
		problem: 'cannot be made: a part of its path is not a folder',
		remedy: 'Set SALVOR_LEDGER to a file in a folder that exists.',
	},
	EIO: {
		problem: 'cannot be written: the disk reported an error',
		remedy: 'Check the disk that holds the file, or set SALVOR_LEDGER to another place.',
	},
	ENOSPC: {
		problem: 'cannot be made: the disk is full',
		remedy: 'Free space on the disk that holds the file, or set SALVOR_LEDGER to another place.',
	},
	EROFS: {
		problem: 'cannot be written: its disk is read-only',
		remedy: 'Set SALVOR_LEDGER to a file on a disk that n8n may write.',
	},
	EACCES: {
		problem: 'cannot be written: n8n has no right to the file or its folder',
		remedy: 'Make both readable and writable for n8n, or set SALVOR_LEDGER to another file.',
	},
	ERR_UNKNOWN_BUILTIN_MODULE: {
		problem: 'needs a Node.js with SQLite in it',
		remedy: 'Run n8n on Node.js 22.16 or newer, or set SALVOR_LEDGER to a Postgres address.',
	},
};

export const REPLACED: Trouble = {
	problem: 'was moved, removed or replaced while it was in use',
	remedy: 'Stop n8n before the file is exchanged; the next call opens the file that is there now.',
};

export const NO_WAL: Trouble = {
	problem: 'lies on a disk that cannot share a file between processes (no WAL)',
	remedy: 'Set SALVOR_LEDGER to a file on a local disk, or to a Postgres address.',
};

/** True when waiting may help: another process holds the file. */
export function isBusy(error: unknown): boolean {
	const code = resultCode(error);
	return code === 5 || code === 15;
}

/** What an error of node:sqlite or node:fs means, read from its code. */
export function sqliteTrouble(error: unknown): Trouble {
	const code = resultCode(error);
	if (code !== undefined) {
		return TROUBLES[code] ?? unknownTrouble(`SQLite's code ${code}`);
	}
	const name = nameOfError(error);
	return FILE_TROUBLES[name] ?? unknownTrouble(name);
}

function resultCode(error: unknown): number | undefined {
	if (!(error instanceof Error && 'errcode' in error)) return undefined;
	return typeof error.errcode === 'number' ? error.errcode & 0xff : undefined;
}

function nameOfError(error: unknown): string {
	if (!(error instanceof Error)) return 'no error object';
	return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}

const unknownTrouble = (what: string): Trouble => ({
	problem: `does not work (${what})`,
	remedy: 'Check the file and its disk, or set SALVOR_LEDGER to another place.',
});
