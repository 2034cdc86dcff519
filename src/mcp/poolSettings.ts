import { fail, type Result, succeed } from '../outcome/failure';

const VARIABLE = 'SALVOR_POOL_IDLE_SECONDS';
const IDLE_SECONDS = 60;
const LONGEST_SECONDS = 86_400;

/** How long a connection that nobody uses is kept, in milliseconds: what n8n's environment says, else a minute (C9). */
export function readIdleMs(env: NodeJS.ProcessEnv): Result<number> {
	const stated = env[VARIABLE]?.trim() ?? '';
	if (stated === '') return succeed(IDLE_SECONDS * 1000);
	const seconds = Number(stated);
	if (/^\d+$/.test(stated) && seconds <= LONGEST_SECONDS) return succeed(seconds * 1000);
	return fail({
		code: 'connection-invalid',
		disposition: 'did-not-happen',
		message: `The environment of n8n is wrong: ${VARIABLE} is not a whole number of seconds from 0 to ${String(LONGEST_SECONDS)}`,
		remedy: `Set ${VARIABLE} to a number such as ${String(IDLE_SECONDS)}, or leave it out, and start n8n again.`,
	});
}
