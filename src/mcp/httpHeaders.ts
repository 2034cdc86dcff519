import type { HttpSettings } from '../call/connectionSettings';
import { fail, succeed, type Failure, type Result } from '../outcome/failure';

/** Headers that belong to HTTP itself or to the MCP transport. */
const reserved = new Set([
	'accept',
	'connection',
	'content-length',
	'content-type',
	'expect',
	'keep-alive',
	'last-event-id',
	'mcp-protocol-version',
	'mcp-session-id',
	'te',
	'trailer',
	'transfer-encoding',
	'upgrade',
]);

const tokenPattern = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

/**
 * The request headers of a connection: the bearer token and the header rows, values literally (C1).
 * Refuses what HTTP cannot carry, naming the row and never its value.
 */
export function httpHeaders(settings: HttpSettings): Result<Readonly<Record<string, string>>> {
	const headers: Record<string, string> = {};
	if (settings.bearerToken !== undefined && settings.bearerToken !== '') {
		const problem = valueProblem(settings.bearerToken);
		if (problem !== undefined)
			return fail(refusal(`The field Bearer Token ${problem}`, 'Enter the token again.'));
		headers['authorization'] = `Bearer ${settings.bearerToken}`;
	}
	for (const row of settings.headers) {
		const name = row.name.trim().toLowerCase();
		const problem = nameProblem(name) ?? valueProblem(row.value);
		if (problem !== undefined)
			return fail(refusal(`The header row "${row.name.trim()}" ${problem}`, 'Correct the row.'));
		const earlier = headers[name];
		if (name === 'authorization' && earlier !== undefined)
			return fail(
				refusal(
					'The header row "Authorization" comes on top of another authorization.',
					'Keep either the field Bearer Token or one header row "Authorization".',
				),
			);
		headers[name] = earlier === undefined ? row.value : `${earlier}, ${row.value}`;
	}
	return succeed(headers);
}

function nameProblem(name: string): string | undefined {
	if (name === '') return 'has no name.';
	if (!tokenPattern.test(name)) return 'has a name that HTTP cannot carry.';
	if (reserved.has(name)) return 'is set by the protocol itself.';
	if (name === 'proxy-authorization')
		return 'is for a proxy, whose user and password belong in its URL in HTTP_PROXY or HTTPS_PROXY.';
	return undefined;
}

function valueProblem(value: string): string | undefined {
	if (/^[ \t\r\n]|[ \t\r\n]$/.test(value))
		return 'begins or ends with a blank or line break, which HTTP would drop.';
	for (const character of value) {
		const code = character.codePointAt(0) ?? 0;
		if ((code < 32 && code !== 9) || code === 127 || code > 255)
			return 'has a character in its value that HTTP cannot carry.';
	}
	return undefined;
}

const refusal = (message: string, remedy: string): Failure => ({
	code: 'connection-invalid',
	disposition: 'did-not-happen',
	stage: 'connect',
	message,
	remedy,
});
