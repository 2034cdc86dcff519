import { fail, succeed, type Result } from '../outcome/failure';

export const maxResponseVariable = 'SALVOR_MAX_RESPONSE_MB';

const defaultMb = 32;
/** A text cannot be much longer in Node. */
const largestMb = 512;

/** The most bytes that one answer may have, over HTTP and stdio: what n8n's environment says in MiB, else 32 (C6). */
export function readMaxResponse(env: NodeJS.ProcessEnv): Result<number> {
	const stated = env[maxResponseVariable]?.trim() ?? '';
	const mb = stated === '' ? defaultMb : Number(stated);
	if (mb > 0 && mb <= largestMb) return succeed(Math.ceil(mb * 1024 * 1024));
	return fail({
		code: 'connection-invalid',
		disposition: 'did-not-happen',
		message: `The environment of n8n is wrong: ${maxResponseVariable} is not a number of MiB above 0, up to ${String(largestMb)}.`,
		remedy: `Set ${maxResponseVariable} to a number such as ${String(defaultMb)}, or leave it out, and start n8n again.`,
	});
}
