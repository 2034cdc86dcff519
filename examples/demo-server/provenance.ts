/** Checks where a call from n8n-nodes-salvor comes from. Needs nothing but Node: copy it into a server of your own. */
import {
	createHash,
	createHmac,
	createPrivateKey,
	createPublicKey,
	timingSafeEqual,
	verify,
	type KeyObject,
} from 'node:crypto';

const PREFIX = 'io.github.n8n-nodes-salvor/';

export type Provenance = {
	readonly workflow: string;
	readonly execution: string;
	readonly node: string;
	readonly item: number;
	/** From 1. */
	readonly attempt: number;
	/** The same for all attempts of a call. */
	readonly call: string;
};

export type Verdict =
	/** The caller says nothing of where the call comes from. */
	| { readonly kind: 'anonymous' }
	/** It says so, and nothing proves it: it is not signed, or there is no key here to check with. */
	| { readonly kind: 'unproven'; readonly provenance: Provenance; readonly isSigned: boolean }
	| { readonly kind: 'verified'; readonly provenance: Provenance }
	| { readonly kind: 'refused'; readonly problem: string };

export type Verifier = (params: Readonly<Record<string, unknown>>) => Verdict;

/**
 * A verifier for one key: a public Ed25519 key in PEM, or the secret of HMAC-SHA256, taken literally; undefined checks no signature. It takes
 * the `params` of a `tools/call` as they arrived: the SDK gives a tool's handler arguments that it has changed, with defaults
 * filled in and unknown ones left out. Throws when the key cannot be used.
 */
export function createVerifier(key: string | undefined): Verifier {
	const check = key === undefined ? undefined : signatureCheck(key);
	return ({ name, arguments: given = {}, _meta }) => {
		const meta = isRecord(_meta) ? _meta : {};
		const { signature, 'resume-url': _, ...fields } = ownMeta(meta);
		if (Object.keys(fields).length === 0 && signature === undefined) return { kind: 'anonymous' };
		const provenance = readFields(fields);
		if (provenance === undefined) return refused('its provenance is not complete');
		if (check === undefined || signature === undefined) {
			return { kind: 'unproven', provenance, isSigned: signature !== undefined };
		}
		const argumentsSha256 = createHash('sha256').update(canonical(given)).digest('hex');
		const text = canonical({ ...provenance, tool: name, argumentsSha256 });
		return isRecord(signature) && check(signature, Buffer.from(text, 'utf8'))
			? { kind: 'verified', provenance }
			: refused('its signature does not fit');
	};
}

type Check = (signature: Readonly<Record<string, unknown>>, signed: Buffer) => boolean;

/**
 * The key says which algorithm counts, never the message. What is no PEM is a secret, but no public key may pass for one:
 * everybody who knows it could sign.
 */
function signatureCheck(key: string): Check {
	const isPem = key.includes('-----BEGIN');
	const algorithm = isPem ? 'Ed25519' : 'HMAC-SHA256';
	const fits = isPem ? ed25519Check(publicKeyIn(key)) : hmacCheck(key);
	return (signature, signed) =>
		signature['algorithm'] === algorithm &&
		typeof signature['value'] === 'string' &&
		fits(Buffer.from(signature['value'], 'base64url'), signed);
}

function ed25519Check(key: KeyObject | undefined): (signature: Buffer, signed: Buffer) => boolean {
	if (key?.asymmetricKeyType !== 'ed25519') {
		throw new Error('The key is no public Ed25519 key in PEM.');
	}
	return (signature, signed) => verify(null, signed, key, signature);
}

function hmacCheck(secret: string): (signature: Buffer, signed: Buffer) => boolean {
	if (isOfKeyPair(secret)) {
		throw new Error(
			'The key looks like one of a key pair; give the public one as PEM, as openssl pkey -pubout prints it.',
		);
	}
	if (Buffer.byteLength(secret) < 32) {
		throw new Error('The secret has fewer than 32 bytes; make one with openssl rand -hex 32.');
	}
	return (signature, signed) => {
		const right = createHmac('sha256', secret).update(signed).digest();
		return signature.length === right.length && timingSafeEqual(signature, right);
	};
}

/** Line breaks may be missing, or be the two characters `\n`, as environment files have them. */
function publicKeyIn(pem: string): KeyObject | undefined {
	if (pem.includes('PRIVATE KEY-----')) {
		throw new Error(
			'The key is a private one; a verifier needs only the public one, as openssl pkey -pubout prints it.',
		);
	}
	const [, body = ''] = /-----BEGIN PUBLIC KEY-----(.+)-----END PUBLIC KEY-----/s.exec(pem) ?? [];
	return publicKeyOf(Buffer.from(body.replaceAll(/(\\r)?\\n/g, '\n'), 'base64'));
}

/** A JWK, a key of SSH, or PEM or DER in base64 or hexadecimal. */
const isOfKeyPair = (text: string): boolean =>
	/^["'\s]*(\{|----|(sk-)?(ssh|ecdsa)-)/.test(text) ||
	[Buffer.from(text, 'base64'), Buffer.from(text.trim(), 'hex')].some(
		(bytes) =>
			bytes.includes('-----BEGIN') || publicKeyOf(bytes) !== undefined || isPrivateKey(bytes),
	);

function publicKeyOf(der: Buffer): KeyObject | undefined {
	try {
		return createPublicKey({ key: der, format: 'der', type: 'spki' });
	} catch {
		return undefined;
	}
}

function isPrivateKey(der: Buffer): boolean {
	try {
		return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }).type === 'private';
	} catch {
		return false;
	}
}

const ownMeta = (meta: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
	Object.fromEntries(
		Object.entries(meta).flatMap(([key, value]) =>
			key.startsWith(PREFIX) ? [[key.slice(PREFIX.length), value]] : [],
		),
	);

function readFields({
	workflow,
	execution,
	node,
	item,
	attempt,
	call,
}: Readonly<Record<string, unknown>>): Provenance | undefined {
	return typeof workflow === 'string' &&
		typeof execution === 'string' &&
		typeof node === 'string' &&
		isCount(item, 0) &&
		isCount(attempt, 1) &&
		typeof call === 'string'
		? { workflow, execution, node, item, attempt, call }
		: undefined;
}

const isCount = (value: unknown, least: number): value is number =>
	Number.isSafeInteger(value) && Number(value) >= least;

/** The JSON Canonicalization Scheme (RFC 8785) of a value that came out of JSON: JavaScript spells scalars as it demands. */
function canonical(value: unknown): string {
	if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
	if (!isRecord(value)) return JSON.stringify(value);
	const members = Object.keys(value)
		.sort()
		.map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`);
	return `{${members.join(',')}}`;
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

const refused = (problem: string): Verdict => ({ kind: 'refused', problem });
