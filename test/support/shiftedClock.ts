import { rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { projectRoot } from '../../scripts/host/paths';

/** The clock of an n8n that was started with this environment. */
export interface ShiftedClock {
	readonly env: NodeJS.ProcessEnv;
	/** How far the clock is off from now on, in milliseconds, in this and all later lives. It is read ten times a second. */
	readonly set: (offsetMs: number) => Promise<void>;
}

/** A clock that runs right until it is set; how far it is off lies in the folder. */
export async function shiftedClock(folder: string): Promise<ShiftedClock> {
	const file = path.join(folder, 'clock');
	const set = async (offsetMs: number) => {
		await writeFile(`${file}.new`, String(offsetMs));
		await rename(`${file}.new`, file);
	};
	await set(0);
	const loaded = path.join(projectRoot, 'test', 'support', 'shiftedClock.cjs');
	return { env: { SHIFTED_CLOCK_FILE: file, NODE_OPTIONS: `--require ${loaded}` }, set };
}
