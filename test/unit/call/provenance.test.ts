import { createHmac, createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it, test } from 'vitest';

import { createVerifier, type Provenance } from '../../../examples/demo-server/provenance.ts';
import { sha256 } from '../../../nodes/shared/sha256';
import { provenanceMeta, type Sign } from '../../../src/call/provenance';
import { canonicalJson } from '../../../src/json/canonicalJson';
import { readSigningKey } from '../../../src/n8n/readSigningKey';
import { valueOf } from '../../support/connections';

const PREFIX = 'io.github.n8n-nodes-salvor/';

interface Vectors {
	readonly keys: {
		readonly hmacSha256: { readonly secret: string };
		readonly ed25519: {
			readonly privatePem: string;
			readonly privateJwk: object;
			readonly publicPem: string;
		};
	};
	readonly vectors: readonly {
		readonly name: string;
		readonly tool: string;
		/** JSON text, as a caller may spell it. */
		readonly arguments: string;
		readonly provenance: Provenance;
		readonly canonicalArguments: string;
		readonly argumentsSha256: string;
		readonly signedText: string;
		readonly hmacSha256: string;
		readonly ed25519: string;
	}[];
}

const { keys, vectors } = JSON.parse(
	readFileSync(join(import.meta.dirname, '../../../docs/provenance-vectors.json'), 'utf8'),
) as Vectors;

const signerOf = (signingKey: string): Sign => {
	const sign = valueOf(readSigningKey({ signingKey }));
	if (sign === undefined) throw new Error('there is no key');
	return sign;
};

const ways = [
	['HMAC-SHA256', 'hmacSha256', keys.hmacSha256.secret, keys.hmacSha256.secret],
	['Ed25519', 'ed25519', keys.ed25519.privatePem, keys.ed25519.publicPem],
	['Ed25519', 'ed25519', JSON.stringify(keys.ed25519.privateJwk), keys.ed25519.publicPem],
] as const;

type Vector = Vectors['vectors'][number];

/** The `_meta` that the node sends for a vector. */
function metaOf({ provenance, tool, arguments: text }: Vector, sign?: Sign) {
	const { attempt, ...origin } = provenance;
	const request = { name: tool, arguments: JSON.parse(text) as Record<string, unknown> };
	return provenanceMeta({ ...origin, attemptsBefore: 0 }, attempt, request, { sign, sha256 });
}

const paramsOf = (vector: Vector, meta: object) => ({
	name: vector.tool,
	arguments: JSON.parse(vector.arguments) as unknown,
	_meta: meta,
});

describe.each(vectors)('docs/provenance-vectors.json: $name (C15)', (vector) => {
	it('the arguments have that canonical form and digest', () => {
		const canonical = canonicalJson(JSON.parse(vector.arguments));
		expect(canonical).toBe(vector.canonicalArguments);
		expect(sha256(canonical)).toBe(vector.argumentsSha256);
	});

	it.each(ways)('%s signs that text so (%s)', (algorithm, field, signingKey) => {
		const texts: string[] = [];
		const sign = signerOf(signingKey);
		const meta = metaOf(vector, (text) => {
			texts.push(text);
			return sign(text);
		});
		expect(texts).toEqual([vector.signedText]);
		expect(meta).toEqual({
			...Object.fromEntries(
				Object.entries(vector.provenance).map(([name, value]) => [`${PREFIX}${name}`, value]),
			),
			[`${PREFIX}signature`]: { algorithm, value: vector[field] },
		});
	});

	it.each(ways)('the verifier takes it with %s (%s)', (_, __, signingKey, verifying) => {
		const meta = { other: 1, ...metaOf(vector, signerOf(signingKey)) };
		expect(createVerifier(verifying)(paramsOf(vector, meta))).toEqual({
			kind: 'verified',
			provenance: vector.provenance,
		});
	});
});

const [vector] = vectors;
if (vector === undefined) throw new Error('there are no vectors');

describe.each(ways)('the verifier refuses with %s (%s)', (algorithm, _, signingKey, verifying) => {
	const good = metaOf(vector, signerOf(signingKey));
	const verify = createVerifier(verifying);
	const key = (name: string) => `${PREFIX}${name}`;

	it.each<[string, object, object?]>([
		['another workflow', { [key('workflow')]: 'other' }],
		['another execution', { [key('execution')]: '4712' }],
		['another node', { [key('node')]: 'Other' }],
		['another item', { [key('item')]: 1 }],
		['another attempt', { [key('attempt')]: 2 }],
		['another call', { [key('call')]: 'other' }],
		['another tool', {}, { name: 'request_payment' }],
		['other arguments', {}, { arguments: { payment_id: 'pay-INV-1001-8' } }],
		['arguments more', {}, { arguments: { payment_id: 'pay-INV-1001-7', note: '' } }],
		['no arguments', {}, { arguments: undefined }],
		['an empty signature', { [key('signature')]: { algorithm, value: '' } }],
		['a signature without a value', { [key('signature')]: { algorithm } }],
		['a signature that is a text', { [key('signature')]: 'x' }],
		['a signature alone', Object.fromEntries(Object.keys(good).map((name) => [name, undefined]))],
		['an item as text', { [key('item')]: '0' }],
		['attempt 0', { [key('attempt')]: 0 }],
	])('%s', (__, meta, params = {}) => {
		expect(verify({ ...paramsOf(vector, { ...good, ...meta }), ...params }).kind).toBe('refused');
	});

	it('a signature of the other algorithm', () => {
		const other = ways.find(([name]) => name !== algorithm);
		const meta = metaOf(vector, signerOf(other?.[2] ?? ''));
		expect(verify(paramsOf(vector, meta)).kind).toBe('refused');
	});
});

test('a public key passed off as a secret verifies nothing: the key says which algorithm counts', () => {
	const forged: Sign = (text) => signHmac(publicPem, text);
	const verify = createVerifier(publicPem);
	expect(verify(paramsOf(vector, metaOf(vector, forged))).kind).toBe('refused');
});

test('what is not signed, or cannot be checked, is never said to be verified', () => {
	const { provenance } = vector;
	const { secret } = keys.hmacSha256;
	const signed = paramsOf(vector, metaOf(vector, signerOf(secret)));
	const unsigned = paramsOf(vector, metaOf(vector));
	expect(createVerifier(undefined)(signed)).toEqual({
		kind: 'unproven',
		provenance,
		isSigned: true,
	});
	expect(createVerifier(secret)(unsigned)).toEqual({
		kind: 'unproven',
		provenance,
		isSigned: false,
	});
	const resumeUrl = { [`${PREFIX}resume-url`]: 'http://127.0.0.1/1' };
	expect(createVerifier(secret)({ name: 'get', _meta: resumeUrl })).toEqual({ kind: 'anonymous' });
	expect(createVerifier(secret)({ name: 'get' })).toEqual({ kind: 'anonymous' });
});

const { publicPem, privatePem, privateJwk } = keys.ed25519;
const publicKey = createPublicKey(publicPem);
const publicJwk = JSON.stringify(publicKey.export({ format: 'jwk' }));
const publicDer = publicKey.export({ format: 'der', type: 'spki' });
const privateDer = createPrivateKey(privatePem).export({ format: 'der', type: 'pkcs8' });
/** The two characters that an environment file has for a line break. */
const escaped = (pem: string, lineBreak = String.raw`\n`): string =>
	pem.replaceAll('\n', lineBreak);

test.each([
	['line breaks written as two characters', escaped(publicPem)],
	['line breaks of Windows written so', escaped(publicPem, String.raw`\r\n`)],
	['white space around it', `\n  ${publicPem}\t\n`],
	['the quotes of an environment file', `"${escaped(publicPem)}"`],
	['no line breaks', publicPem.replaceAll('\n', ' ')],
])('a verifier reads a public key in PEM with %s', (_, key) => {
	const meta = metaOf(vector, signerOf(privatePem));
	expect(createVerifier(key)(paramsOf(vector, meta)).kind).toBe('verified');
});

test.each([
	['a JWK', publicJwk],
	['a JWK in quotes', `'${publicJwk}'`],
	['a set of JWKs', ` { "keys": [${publicJwk}] }`],
	['a private JWK', JSON.stringify(privateJwk)],
	['bare base64', publicDer.toString('base64')],
	['bare base64url', publicDer.toString('base64url')],
	['hexadecimal', publicDer.toString('hex')],
	['bare base64 of the private one', privateDer.toString('base64')],
	['PEM in base64', Buffer.from(publicPem).toString('base64')],
	[
		'OpenSSH',
		'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJdpgnPZqZ8v0JwPq9J5y0kXbM0r8Qb2Zl4hQ1cO9d3e me',
	],
	[
		'SSH2',
		'---- BEGIN SSH2 PUBLIC KEY ----\nAAAAC3NzaC1lZDI1NTE5AAAAIJdp\n---- END SSH2 PUBLIC KEY ----',
	],
])('a key given as %s is no secret: whoever knew it could sign', (_, key) => {
	expect(() => createVerifier(key)).toThrow(
		new Error(
			'The key looks like one of a key pair; give the public one as PEM, as openssl pkey -pubout prints it.',
		),
	);
});

test.each([
	['as it is', privatePem],
	['with line breaks written as two characters', escaped(privatePem)],
	['before the public one', privatePem + publicPem],
])('a verifier takes no private key in PEM %s', (_, key) => {
	expect(() => createVerifier(key)).toThrow(
		new Error(
			'The key is a private one; a verifier needs only the public one, as openssl pkey -pubout prints it.',
		),
	);
});

test.each([
	['cut short', publicPem.slice(0, 40)],
	['empty', '-----BEGIN PUBLIC KEY-----\n-----END PUBLIC KEY-----'],
	['of no key', '-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----'],
	[
		'of another kind',
		generateKeyPairSync('x25519').publicKey.export({ format: 'pem', type: 'spki' }).toString(),
	],
])('a verifier takes no PEM %s', (_, key) => {
	expect(() => createVerifier(key)).toThrow(new Error('The key is no public Ed25519 key in PEM.'));
});

test('a verifier takes no secret that is too short, and every other as it is', () => {
	for (const short of ['', 'short', ' '.repeat(31)]) {
		expect(() => createVerifier(short)).toThrow(
			new Error('The secret has fewer than 32 bytes; make one with openssl rand -hex 32.'),
		);
	}
	const bytes = Buffer.from(Array.from({ length: 32 }, (_, index) => index * 7));
	for (const secret of [
		bytes.toString('hex'),
		bytes.toString('base64'),
		` sk-${'x'.repeat(32)}\n`,
	]) {
		const meta = metaOf(vector, signerOf(secret));
		expect(createVerifier(secret)(paramsOf(vector, meta)).kind).toBe('verified');
	}
});

test('the digest is of the arguments as JSON carries them', () => {
	const at = new Date('2026-12-24T09:00:00Z');
	const texts: string[] = [];
	const sign: Sign = (text) => {
		texts.push(text);
		return { algorithm: 'HMAC-SHA256', value: 'x' };
	};
	const origin = { workflow: '', execution: '', node: '', item: 0, call: '', attemptsBefore: 0 };
	for (const args of [
		{ at, gone: undefined, list: [undefined] },
		{ list: [null], at: at.toISOString() },
	]) {
		provenanceMeta(origin, 1, { name: 'get', arguments: args }, { sign, sha256 });
	}
	expect(new Set(texts).size).toBe(1);
});

function signHmac(secret: string, text: string): ReturnType<Sign> {
	// Past the check of the key's form, as an attacker would.
	const value = createHmac('sha256', secret).update(text).digest('base64url');
	return { algorithm: 'HMAC-SHA256', value };
}
