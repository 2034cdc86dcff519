import {
	createPublicKey,
	createSecretKey,
	generateKeyPairSync,
	type KeyObject,
	verify,
} from 'node:crypto';

import { describe, expect, it } from 'vitest';

import { readSigningKey } from '../../../src/n8n/readSigningKey';
import { failureOf, valueOf } from '../../support/connections';

const read = (signingKey: unknown) => readSigningKey({ signingKey });
const pem = (key: KeyObject, type: 'pkcs8' | 'spki') =>
	key.export({ type, format: 'pem' }).toString();
const ed25519 = generateKeyPairSync('ed25519');
const privatePem = pem(ed25519.privateKey, 'pkcs8');

/** What the key signs "text" with, checked against the public half. */
function holds(signingKey: string): boolean {
	const signature = valueOf(read(signingKey))?.('text');
	expect(signature?.algorithm).toBe('Ed25519');
	const value = Buffer.from(signature?.value ?? '', 'base64url');
	return verify(null, Buffer.from('text'), ed25519.publicKey, value);
}

describe('the form of the key decides how it signs (C15)', () => {
	it.each(['', undefined, null])('%j is no key: nothing is signed', (signingKey) => {
		expect(read(signingKey)).toEqual({ ok: true, value: undefined });
	});

	it.each<[string, string]>([
		['as OpenSSL writes it', privatePem],
		['with blanks around it', `\n  ${privatePem}  `],
		['with Windows line ends', privatePem.replaceAll('\n', '\r\n')],
		['with its line breaks lost, as a one-line field leaves it', privatePem.replaceAll('\n', '')],
		['in quotes', `"${privatePem}"`],
		['in JSON', JSON.stringify(privatePem)],
		['with its line breaks made blanks', privatePem.replaceAll('\n', ' ')],
		['with its line breaks written as \\n', privatePem.replaceAll('\n', String.raw`\n`)],
		['as a JWK', JSON.stringify(ed25519.privateKey.export({ format: 'jwk' }))],
	])('a private Ed25519 key %s signs with it', (_, signingKey) => {
		expect(holds(signingKey)).toBe(true);
	});

	it('any other text of 32 bytes is the secret of HMAC-SHA256, taken literally (C1)', () => {
		const [plain, padded] = ['x'.repeat(32), ` ${'x'.repeat(32)} `].map(
			(secret) => valueOf(read(secret))?.('text').value,
		);
		expect(plain).toBe('R8ozs5XRM7-EI0gm6CrOGrcLoRXeW8LhJwc1P8q0Df0');
		expect(padded).not.toBe(plain);
		// 16 characters, 32 bytes.
		expect(valueOf(read('ä'.repeat(16)))?.('text').algorithm).toBe('HMAC-SHA256');
	});
});

const publicPem = pem(ed25519.publicKey, 'spki');
const bareOf = (text: string): string => text.replaceAll(/-----[^-]+-----|\s/g, '');
const bare = bareOf(publicPem);
const sshBody = Buffer.concat([
	Buffer.from([0, 0, 0, 11]),
	Buffer.from('ssh-ed25519'),
	Buffer.from([0, 0, 0, 32]),
	Buffer.from(bare, 'base64').subarray(-32),
]).toString('base64');
const rsa = generateKeyPairSync('rsa', { modulusLength: 1024 });
const x25519 = generateKeyPairSync('x25519');
const locked = ed25519.privateKey
	.export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'p' })
	.toString();

describe('a key that cannot sign is refused, naming the field and never showing it (C15, I9)', () => {
	it.each<[string, unknown, string]>([
		['a short secret', 'hunter2-hunter2', 'a secret of 15 bytes, which is too short'],
		['31 bytes', 'x'.repeat(31), 'a secret of 31 bytes'],
		['blanks', '   ', 'a secret of 3 bytes'],
		['a public key', pem(ed25519.publicKey, 'spki'), 'no private Ed25519 key'],
		['a public key without the lines around it', bare, 'one of a key pair'],
		['the same in hexadecimal', Buffer.from(bare, 'base64').toString('hex'), 'one of a key pair'],
		['a public PEM in base64', Buffer.from(publicPem).toString('base64'), 'one of a key pair'],
		['a public PEM in quotes', JSON.stringify(publicPem), 'no private Ed25519 key'],
		['a public PEM behind a text', `Key:\n${publicPem}`, 'no private Ed25519 key'],
		['a public key of SSH', `ssh-ed25519 ${sshBody}`, 'one of a key pair'],
		['the same without its name', sshBody, 'one of a key pair'],
		['a public key of SSH2', `---- BEGIN SSH2 PUBLIC KEY ----\n${sshBody}`, 'one of a key pair'],
		['a private key without the lines around it', bareOf(privatePem), 'one of a key pair'],
		['an RSA key', pem(rsa.privateKey, 'pkcs8'), 'no private Ed25519 key'],
		['a key for key exchange', pem(x25519.privateKey, 'pkcs8'), 'no private Ed25519 key'],
		['a key with a passphrase', locked, 'no private Ed25519 key without a passphrase'],
		['half a PEM', privatePem.slice(0, 60), 'no private Ed25519 key'],
		['a broken PEM', privatePem.replace(/\n.{10}/, '\n'), 'no private Ed25519 key'],
		['a public JWK', jwk(createPublicKey(ed25519.privateKey)), 'no private Ed25519 key'],
		['the JWK of a secret', jwk(createSecretKey(Buffer.alloc(32, 1))), 'no private Ed25519 key'],
		['half a JWK', '{"kty":"OKP"', 'no private Ed25519 key'],
		['a number', 7, 'is no text'],
		['an object', { kty: 'OKP' }, 'is no text'],
	])('%s', (_, signingKey, problem) => {
		const failure = failureOf(read(signingKey));
		expect(failure).toMatchObject({ code: 'connection-invalid', disposition: 'did-not-happen' });
		expect(failure.message).toContain('Signing Key');
		expect(failure.message).toContain(problem);
		if (typeof signingKey === 'string' && signingKey.trim() !== '') {
			expect(JSON.stringify(failure)).not.toContain(signingKey);
		}
	});
});

function jwk(key: KeyObject): string {
	return JSON.stringify(key.export({ format: 'jwk' }));
}
