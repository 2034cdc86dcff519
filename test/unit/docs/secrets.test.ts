import { expect, it } from 'vitest';

import type { ConnectionSettings, HttpSettings } from '../../../src/call/connectionSettings';
import { openSession } from '../../../src/mcp/openSession';
import { failureOf, http, stdio } from '../../support/connections';
import { startHttpPeer } from '../../support/servers/httpPeer';
import { textOf } from './tablesOf';

const failureTo = async (settings: ConnectionSettings): Promise<string> => {
	const open = openSession({ env: { ...process.env, SALVOR_STDIO_COMMANDS: '*' } });
	return JSON.stringify(failureOf(await open(settings)));
};

/** What is told of a server that refuses and echoes the request. */
async function echoed(suffix: string, settings: Partial<HttpSettings> = {}): Promise<string> {
	const peer = await startHttpPeer(({ path, rawHeaders }) => ({
		kind: 'answer',
		status: 404,
		type: 'text/plain',
		body: `Cannot POST ${path} ${rawHeaders.join(' ')}`,
	}));
	try {
		return await failureTo(http(`${peer.url}${suffix}`, settings));
	} finally {
		await peer.stop();
	}
}

it('the page on failures says what stands in no message', () => {
	expect(textOf('docs/failures.md')).toContain(
		"Header values, tokens, long parts of the endpoint's path or query, values of environment variables and whole arguments stand in no message.",
	);
});

it.each<[string, string, Partial<HttpSettings>]>([
	['a bearer token', '', { bearerToken: 'sesame-123' }],
	['the value of a header', '', { headers: [{ name: 'accept-language', value: 'sesame-123' }] }],
	['a value of the query', '?api_key=sesame-123&v=2', {}],
	['a value of the query that is encoded', '?api_key=open%20sesame-123+now', {}],
	['a query without a name', '?sesame-123', {}],
	['a long part of the path', '/s/sesame-1234567890/x', {}],
])('%s that a server echoes stands in no message', async (_, suffix, settings) => {
	const told = await echoed(suffix, settings);
	expect(told).toContain('Cannot POST /mcp');
	expect(told).not.toContain('sesame');
});

it('a word of the query stays in what is told', async () => {
	expect(await echoed('?mode=POST')).toContain('Cannot POST /mcp?mode=POST');
});

it('the value of a variable that a program prints stands in no message', async () => {
	const told = await failureTo(
		stdio({
			arguments: ['-e', 'console.error("the key is", process.env.KEY); process.exit(3)'],
			environment: [{ name: 'KEY', value: 'sesame-123' }],
		}),
	);
	expect(told).toContain('the key is');
	expect(told).not.toContain('sesame');
});
