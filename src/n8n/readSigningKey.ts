import {
	createHmac,
	createPrivateKey,
	createPublicKey,
	type JsonWebKey,
	type KeyObject,
	sign as signWith,
} from 'node:crypto';

import type { Sign } from '../call/provenance';
import type { PlainObject } from '../json/plainObject';
import { type Result, succeed } from '../outcome/failure';
import { refuse } from './connectionFields';

/** As long as what HMAC-SHA256 gives; a shorter secret would be the weaker part. */
const SHORTEST_SECRET_BYTES = 32;

const PEM = /^-----BEGIN ([A-Z0-9 ]+)-----([\s\S]*)-----END \1-----$/;

/**
 * Reads the key that signs where calls come from, by its form: a private key in PEM or JWK signs with Ed25519, any other
 * text is the secret of HMAC-SHA256, taken literally (C15). Undefined when there is none. Refuses what is no such key.
 */
export function readSigningKey(data: PlainObject): Result<Sign | undefined> {
	const given = data['signingKey'] ?? '';
	if (given === '') return succeed(undefined);
	if (typeof given !== 'string') {
		return refuse('Signing Key is no text', 'Enter a secret, or a private Ed25519 key.');
	}
	// Environment files and JSON put quotes around it.
	const shown = given.trim().replace(/^(["'])(.*)\1$/s, '$2');
	if (shown.includes('-----BEGIN')) return ed25519(() => pemKey(shown));
	if (shown.startsWith('{')) return ed25519(() => jwkKey(shown));
	if (isOfKeyPair(shown)) {
		return refuse(
			'Signing Key looks like one of a key pair in another form than PEM or JWK',
			'Enter the private Ed25519 key in PEM or JWK, or a secret.',
		);
	}
	const length = Buffer.byteLength(given);
	if (length >= SHORTEST_SECRET_BYTES) return succeed(hmac(given));
	return refuse(
		`Signing Key is a secret of ${String(length)} bytes, which is too short to sign with`,
		`Give at least ${String(SHORTEST_SECRET_BYTES)} bytes, such as openssl rand -hex 32 prints; or a private Ed25519 key in PEM or JWK.`,
	);
}

/** A key of SSH, or PEM or DER in base64 or hexadecimal: a public one must not pass for a secret, as anybody could sign then. */
const isOfKeyPair = (text: string): boolean =>
	/^(----|(sk-)?(ssh-(ed25519|rsa|dss)|ecdsa-sha2-))/.test(text) ||
	[Buffer.from(text, 'base64'), Buffer.from(text, 'hex')].some(
		(bytes) =>
			bytes.includes('-----BEGIN') || SSH.some((name) => bytes.includes(name)) || isDer(bytes),
	);

const SSH = ['ssh-ed25519', 'ssh-rsa', 'ecdsa-sha2-'];

const isDer = (key: Buffer): boolean =>
	attempt(() => createPublicKey({ key, format: 'der', type: 'spki' })) !== undefined ||
	attempt(() => createPrivateKey({ key, format: 'der', type: 'pkcs8' })) !== undefined;

const hmac =
	(secret: string): Sign =>
	(text) => ({
		algorithm: 'HMAC-SHA256',
		value: createHmac('sha256', secret).update(text, 'utf8').digest('base64url'),
	});

function ed25519(read: () => KeyObject | undefined): Result<Sign> {
	const key = attempt(read);
	if (key?.asymmetricKeyType !== 'ed25519') {
		return refuse(
			'Signing Key looks like a key in PEM or JWK, but is no private Ed25519 key without a passphrase',
			'Make one with: openssl genpkey -algorithm ed25519',
		);
	}
	return succeed((text) => ({
		algorithm: 'Ed25519',
		value: signWith(null, Buffer.from(text, 'utf8'), key).toString('base64url'),
	}));
}

/** The one-line field of the editor takes the line breaks out; some write them as `\n`. */
function pemKey(text: string): KeyObject | undefined {
	const [, label, body = ''] = PEM.exec(text.replaceAll(String.raw`\n`, '\n').trim()) ?? [];
	if (label !== 'PRIVATE KEY') return undefined;
	const key = Buffer.from(body, 'base64');
	return createPrivateKey({ key, format: 'der', type: 'pkcs8' });
}

const jwkKey = (text: string): KeyObject =>
	// eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- decode point: Node checks it
	createPrivateKey({ key: JSON.parse(text) as JsonWebKey, format: 'jwk' });

/** The engine's own messages could quote the key (I9). */
function attempt<T>(action: () => T): T | undefined {
	try {
		return action();
	} catch {
		return undefined;
	}
}
