import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import type { Random } from './random';
import type { Sent } from './sendBytes';

/** A parked item at a resume address, and the answer that it would take. */
export interface Target {
	readonly url: URL;
	readonly parkedAt: string;
	/** Absent for one that nothing can answer, such as a sleeper. */
	readonly answer?: unknown;
}

export interface FuzzedRequest extends Sent {
	/** What makes it wrong, at the least. */
	readonly flaw: string;
	readonly hasToken: boolean;
	/** For the report: its first line. */
	readonly line: string;
}

const METHODS = [
	'GET',
	'HEAD',
	'PUT',
	'PATCH',
	'DELETE',
	'OPTIONS',
	'TRACE',
	'PROPFIND',
	'post',
	'X',
] as const;
const NOT_JSON_TYPES = [
	'',
	'text/plain',
	'application/x-www-form-urlencoded',
	'multipart/form-data; boundary=b',
	'multipart/form-data',
	'application/octet-stream',
	'application/xml',
	'text/html',
	'application/jsonp',
	'json',
	';;;',
	'application/json x',
	'\u00ff/\u0001',
] as const;
const JSON_TYPES = [
	'application/json',
	'application/json; charset=utf-8',
	'APPLICATION/JSON',
	'application/json;charset=iso-8859-1',
	'application/json; charset=nonsense',
	'application/vnd.x+json',
] as const;
const ACCEPTS = [
	'*/*',
	'text/html',
	'application/json',
	'application/json, text/html',
	'image/png',
	'x/y;q=banana,,;=',
	'',
	'a'.repeat(3000),
] as const;
const WRONG_ITEMS = [
	'item=-1',
	'item=99',
	'item=1e0',
	'item=999999999999999999999',
	'item=',
	'item=%00',
	'item=__proto__',
	'item=constructor',
	'item[]=0',
	'item[0]=0',
	'item[__proto__]=0',
	'item=0&item=0',
	'item=0&item=1',
	'item=0%20',
	'item=%30%30',
	'item=NaN',
	'item=0.0',
	`item=${'9'.repeat(2000)}`,
	Array.from({ length: 200 }, (_, at) => `item=${String(at)}`).join('&'),
] as const;
const MISFITS = [
	'{}',
	'null',
	'[]',
	'7',
	'true',
	'""',
	'{"colour":"green"}',
	'{"colour":1}',
	'{"colour":"red","size":1.5}',
	'{"colour":"red","extra":1}',
	'{"__proto__":{"colour":"red"}}',
	'{"constructor":{"prototype":{"colour":"red"}}}',
	'[{"colour":"red"}]',
	'"{\\"colour\\":\\"red\\"}"',
	'{"colour":"red","colour":"green"}',
	'{"size":1e999}',
] as const;
const BROKEN = [
	'',
	'{',
	'{"colour":',
	"{'colour':'red'}",
	'{"colour":"red",}',
	'{"colour":"red"}}',
	'NaN',
	'undefined',
	'\u0000',
	'<x/>',
	'colour=red',
	'\u00ff\u00fe{\u0000}\u0000',
	'['.repeat(5000),
	`${'['.repeat(5000)}${']'.repeat(5000)}`,
	'--b\r\nContent-Disposition: form-data; name="colour"\r\n\r\nred\r\n--b--\r\n',
] as const;

/** A request of any shape that is wrong in one way at least, whatever else is right about it. */
export function fuzzedRequest(random: Random, target: Target): FuzzedRequest {
	const flaws = [
		'token',
		'token',
		'method',
		'encoding',
		'raw',
		'body',
		'body',
		'type',
		'item',
		'parked-at',
	];
	const flaw = flaws[random.int(0, flaws.length - 1)] ?? '';
	const wrong = (part: string) => flaw === part || random.chance(0.12);
	const hasToken = !wrong('token');
	const method = wrong('method') ? random.pick(METHODS) : 'POST';
	const path = pathOf(random, target, hasToken, wrong('item'));
	const line = `${method} ${path} HTTP/1.1`;
	const isJson = !wrong('type');
	const headers: [string, string][] = [
		['Host', target.url.host],
		['Connection', 'close'],
		['Accept', random.pick(ACCEPTS)],
		['Content-Type', random.pick(isJson ? JSON_TYPES : NOT_JSON_TYPES)],
	];
	if (wrong('parked-at')) {
		headers.push(['X-Salvor-Parked-At', random.pick(['x', '2001-01-01T00:00:00.000Z', ' '])]);
	} else if (random.chance(0.2)) headers.push(['X-Salvor-Parked-At', target.parkedAt]);
	if (random.chance(0.1)) headers.push(['X-HTTP-Method-Override', 'POST']);
	if (random.chance(0.1)) headers.push(['Origin', 'https://example.com'], ['Referer', '://']);
	if (random.chance(0.05)) headers.push([`X-${'n'.repeat(50)}`, 'v'.repeat(4000)]);
	const body = bodyOf(random, target, wrong('body'));
	const request = { flaw, hasToken, line };
	if (flaw === 'raw') return { ...request, ...malformed(random, line, headers, body) };
	const patience = isXml(headers) ? { hangUpAfterMs: 1_500 } : {};
	if (flaw === 'encoding')
		return { ...request, ...badlyEncoded(random, line, headers, body), ...patience };
	const bytes = framed(random, line, headers, body);
	return { ...request, bytes, ...patience };
}

/** n8n has one reader of XML for all requests, which does not come back from a text that is none: nobody gets a reply. */
const isXml = (headers: Headers): boolean =>
	headers.some(([name, value]) => name === 'Content-Type' && value.endsWith('/xml'));

/** The address, with the right token or without it. */
function pathOf(random: Random, { url }: Target, hasToken: boolean, wrongItem: boolean): string {
	const query = new URLSearchParams(url.search);
	const token = query.get('signature') ?? '';
	query.delete('signature');
	const right = query.get('item');
	query.delete('item');
	const parts: string[] = [];
	if (hasToken) parts.push(`signature=${token}`);
	else {
		const half = token.slice(0, token.length / 2);
		const wrongs = [
			[],
			['signature='],
			[`signature=${half}`],
			[`signature=${token.slice(1)}`],
			[`signature=${token}0`],
			[`signature=${token}${token}`],
			[`signature=${Array.from(token).reverse().join('')}`],
			['signature=x'.repeat(500)],
			[`signature[]=${half}`],
			[`signature=${half}&signature=${token.slice(half.length)}`],
			['signature[__proto__]=x'],
			[`Signature=${half}`],
			[`token=${half}`],
			['signature=%00'],
			['signature=%'],
		];
		parts.push(...(wrongs[random.int(0, wrongs.length - 1)] ?? []));
	}
	if (wrongItem) parts.push(random.pick(WRONG_ITEMS));
	else if (right !== null) parts.push(`item=${right}`);
	if (random.chance(0.1)) parts.push('__proto__[x]=1', 'colour=red');
	return `${url.pathname}?${random.shuffled(parts).join('&')}`;
}

function bodyOf(random: Random, { answer }: Target, wrong: boolean): Buffer {
	if (answer !== undefined && !wrong) return Buffer.from(JSON.stringify(answer));
	if (random.chance(0.006)) return Buffer.from(JSON.stringify('x'.repeat(1_048_600)));
	if (random.chance(0.01)) return Buffer.from(JSON.stringify({ colour: 'x'.repeat(400_000) }));
	if (random.chance(0.01)) return Buffer.from(JSON.stringify(new Array(50_000).fill({ a: 1 })));
	return Buffer.from(random.chance(0.6) ? random.pick(MISFITS) : random.pick(BROKEN), 'latin1');
}

type Headers = readonly (readonly [string, string])[];

const head = (line: string, headers: Headers): Buffer =>
	Buffer.from(
		`${line}\r\n${headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`,
		'latin1',
	);

/** Well framed: with its length, in chunks, or packed. */
function framed(random: Random, line: string, headers: Headers, body: Buffer): Uint8Array[] {
	const [name, packed] = random.chance(0.7) ? ['identity', body] : pack(random, body);
	const encoded: Headers = name === 'identity' ? headers : [...headers, ['Content-Encoding', name]];
	if (random.chance(0.8)) {
		return [head(line, [...encoded, ['Content-Length', String(packed.length)]]), packed];
	}
	const half = Math.floor(packed.length / 2);
	const chunks = [packed.subarray(0, half), packed.subarray(half)].filter(
		({ length }) => length > 0,
	);
	return [
		head(line, [...encoded, ['Transfer-Encoding', 'chunked']]),
		...chunks.flatMap((chunk) => [
			Buffer.from(`${chunk.length.toString(16)}\r\n`),
			chunk,
			Buffer.from('\r\n'),
		]),
		Buffer.from('0\r\n\r\n'),
	];
}

function pack(random: Random, body: Buffer): readonly [string, Buffer] {
	switch (random.int(0, 2)) {
		case 0:
			return ['gzip', gzipSync(body)];
		case 1:
			return ['deflate', deflateSync(body)];
		default:
			return ['br', brotliCompressSync(body.subarray(0, 5000))];
	}
}

/** An encoding that is not what it says, or more than it seems. */
function badlyEncoded(random: Random, line: string, headers: Headers, body: Buffer): Sent {
	const zipped = gzipSync(body);
	const [name, bytes] = random.pick<readonly [string, Buffer]>([
		['gzip', body],
		['gzip', zipped.subarray(0, zipped.length - 9)],
		['gzip', Buffer.concat([zipped.subarray(0, 12), Buffer.from('garbage')])],
		['deflate', zipped],
		['br', zipped],
		['nonsense', body],
		['gzip, gzip', zipped],
		['gzip', gzipSync(Buffer.alloc(3_000_000, 'x'))],
		['deflate', deflateSync(Buffer.from(JSON.stringify('x'.repeat(2_000_000))))],
	]);
	const all: Headers = [
		...headers,
		['Content-Encoding', name],
		['Content-Length', String(bytes.length)],
	];
	return { bytes: [head(line, all), bytes] };
}

/** Not HTTP, or HTTP that says one thing and does another; the peer hangs up in the end. */
function malformed(random: Random, line: string, headers: Headers, body: Buffer): Sent {
	const path = line.split(' ')[1] ?? '/';
	const broken: readonly [Uint8Array[], ...Uint8Array[][]] = [
		[head(line, [...headers, ['Content-Length', String(body.length + 50)]]), body],
		[head(line, [...headers, ['Content-Length', '-1']]), body],
		[head(line, [...headers, ['Content-Length', 'x']]), body],
		[head(line, [...headers, ['Content-Length', '3'], ['Content-Length', '4']]), body],
		[
			head(line, [...headers, ['Content-Length', '3'], ['Transfer-Encoding', 'chunked']]),
			Buffer.from('zz\r\n'),
			body,
		],
		[
			head(line, [...headers, ['Transfer-Encoding', 'chunked']]),
			Buffer.from('ffffffffff\r\n'),
			body,
		],
		[head(line, [...headers, ['Transfer-Encoding', 'gzip']]), body],
		[Buffer.from(`${line}\r\nHost`)],
		[Buffer.from(`POST ${path}\r\n\r\n`)],
		[Buffer.from(`POST ${path} HTTP/9.9\r\n\r\n`)],
		[Buffer.from(`POST ${path} x HTTP/1.1\r\nHost: a\r\n\r\n`)],
		[Buffer.from('\u0000\u0001\u0002\u0003')],
		[Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00])],
		[Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')],
		[head(line, [...headers, ['X: y\r\nZ', 'v\u0000'], ['Content-Length', '0']])],
		[head(line, [...headers, [' folded', 'v'], ['Content-Length', '0']])],
		[head(line, [...headers, ['X-Big', 'v'.repeat(40_000)], ['Content-Length', '0']])],
		[
			head(line, [...headers, ['Expect', 'nonsense'], ['Content-Length', String(body.length + 1)]]),
			body,
		],
	];
	return { bytes: random.pick(broken), hangUpAfterMs: 1_500 };
}
