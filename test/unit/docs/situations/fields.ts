import { openSession } from '../../../../src/mcp/openSession';
import { failureTitle } from '../../../../src/n8n/failureText';
import { asBearerConnection } from '../../../../src/n8n/oauthConnection';
import { readConnection } from '../../../../src/n8n/readConnection';
import { failureOf, valueOf } from '../../../support/connections';
import type { Situations } from './situations';

type Fields = Readonly<Record<string, unknown>>;

const WELL = { transport: 'streamableHttp', endpoint: 'https://mcp.example.com/mcp' };

const reading = (fields: Fields): string =>
	failureTitle(failureOf(readConnection({ ...WELL, ...fields })));

/** What can be read, and is refused before anything is connected to. */
async function opening(fields: Fields): Promise<string> {
	const { settings } = valueOf(readConnection({ ...WELL, ...fields }));
	return failureTitle(failureOf(await openSession({ env: {} })(settings)));
}

const header = (name: string, value = 'x'): Fields => ({ headers: { header: [{ name, value }] } });

const policies = (...tool: readonly Fields[]): Fields => ({ toolPolicies: { tool } });

const CUT = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----';

export const fields: Situations = {
	'no endpoint': () => reading({ endpoint: '' }),
	'an endpoint without a scheme': () => reading({ endpoint: 'mcp.example.com/mcp' }),
	'a password in the endpoint': () => reading({ endpoint: 'https://a:b@mcp.example.com/' }),
	'a header with a colon': () => reading(header('X-Key: abc')),
	'a header with a line break in it': () => reading(header('X-Key', 'a\nb')),
	'a header with a blank behind it': () => opening(header('X-Key', 'abc ')),
	'a header of the protocol': () => opening(header('Accept')),
	'a token with a line break in it': () => reading({ bearerToken: 'a\nb' }),
	'a token with a blank behind it': () => opening({ bearerToken: 'abc ' }),
	'two authorizations': () => reading({ bearerToken: 'abc', ...header('authorization') }),
	'an authorization beside OAuth2': () =>
		failureTitle(failureOf(asBearerConnection(header('Authorization'), 'abc'))),
	'a file name for a certificate': () => reading({ caCertificate: '/etc/ca.pem' }),
	'a cut certificate': () => opening({ caCertificate: CUT }),
	'no command': () => reading({ transport: 'stdio', command: ' ' }),
	'a variable without a name': () =>
		reading({
			transport: 'stdio',
			command: 'npx',
			environment: { variable: [{ name: 'KEY=abc', value: '' }] },
		}),
	'half a second': () => reading({ requestTimeout: 0.5 }),
	'limits the wrong way round': () => reading({ requestTimeout: 60, maxDuration: 30 }),
	'a namespace with a blank': () => reading({ namespace: 'my server' }),
	'a short secret': () => reading({ signingKey: 'short' }),
	'a public key': () =>
		reading({ signingKey: '-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----' }),
	'a public key of SSH': () => reading({ signingKey: `ssh-ed25519 ${'A'.repeat(68)}` }),
	'two rows for a tool': () => reading(policies({ name: 'pay' }, { name: 'pay' })),
	'a key that is no path': () => reading(policies({ name: 'pay', idempotencyKey: 'a..b' })),
};
