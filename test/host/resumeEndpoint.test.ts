import { request } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Execution } from '../../scripts/host/executionData';
import type { Json } from '../../scripts/host/json';
import type { CredentialReference } from '../../scripts/host/n8nRest';
import { host, httpConnection, jsonOf, postAnswer, runUntil } from '../support/host';
import { callOf, relay, sendsPark, shownUrl, suspends } from '../support/parkRuns';
import { startParkServer } from '../support/servers/parkServer';
import type { ParkServer } from '../support/servers/parkServer';
import { manualTrigger, nothing, setFields, workflow } from '../support/workflow';

const SCHEMA = {
	type: 'object',
	properties: { colour: { type: 'string', enum: ['red', 'blue'] }, size: { type: 'integer' } },
	required: ['colour'],
	additionalProperties: false,
};
const GOOD = { colour: 'red' };
const REASON = 'Pick a colour <b>&"\'</b>';

let parkServer: ParkServer;
let credential: CredentialReference;

beforeAll(async () => {
	parkServer = await startParkServer();
	credential = await httpConnection(host().rest, { endpoint: parkServer.endpoint });
});
afterAll(async () => {
	await parkServer.stop();
});

async function park(call = suspends(REASON, SCHEMA)): Promise<Execution> {
	return await runUntil(
		host().rest,
		workflow([manualTrigger(), relay(credential, call), nothing()]),
		['waiting'],
	);
}

/** That the execution waits, takes the right answer, and goes on with it once. */
async function stillResumes(parked: Execution, answer: unknown = GOOD): Promise<void> {
	const { rest } = host();
	expect((await rest.execution(parked.id)).status).toBe('waiting');
	const taken = await postAnswer(shownUrl(parked), answer);
	expect([taken.status, await taken.json()]).toEqual([200, { status: 'resumed' }]);
	const done = await rest.waitForExecution(parked.id, ['success']);
	expect(jsonOf(done, 'After').map(({ output }) => output)).toEqual([answer]);
	expect(done.runData.After).toHaveLength(1);
}

const post = async (
	url: string,
	body: string | Uint8Array<ArrayBuffer>,
	headers: Record<string, string>,
) => await fetch(url, { method: 'POST', headers, body });
const json = { 'content-type': 'application/json' };
const good = JSON.stringify(GOOD);

describe('a POST that is not a right answer leaves the run parked', () => {
	test('answers that do not fit are refused with path and message, any number of times (R2)', async () => {
		const parked = await park();
		for (const [wrong, issue] of [
			[{ colour: 'green' }, '$.colour'],
			[{}, '$.colour'],
			[{ colour: 'red', size: 1.5 }, '$.size'],
			[{ colour: 'red', 'odd key': 1 }, '$["odd key"]'],
			['red', '$'],
			[null, '$'],
		] as const) {
			const refused = await postAnswer(shownUrl(parked), wrong);
			expect(refused.status).toBe(422);
			expect(refused.headers.get('cache-control')).toBe('no-store');
			expect(await refused.json()).toEqual({
				status: 'rejected',
				issues: [{ path: issue, message: expect.stringMatching(/\S/) }],
			});
		}
		await stillResumes(parked);
	});

	test('a body that is not JSON is refused (R3)', async () => {
		const parked = await park();
		const url = shownUrl(parked);
		expect((await post(url, '{"colour":', json)).status).toBe(422);
		expect([400, 422]).toContain((await post(url, '', json)).status);
		for (const type of [
			'application/x-www-form-urlencoded',
			'text/plain',
			'application/xml',
			'application/octet-stream',
			'application/jsonp',
			'x',
		]) {
			const refused = await post(url, type.includes('form') ? 'colour=red' : good, {
				'content-type': type,
			});
			expect([type, [400, 415, 422].includes(refused.status)]).toEqual([type, true]);
		}
		const form = new FormData();
		form.set('colour', 'red');
		form.set('file', new Blob([good], { type: 'application/json' }), 'answer.json');
		expect((await fetch(url, { method: 'POST', body: form })).status).toBe(415);
		expect((await fetch(url, { method: 'POST' })).status).toBe(415);
		expect((await fetch(url, { method: 'POST', body: new Uint8Array([123]) })).status).toBe(415);
		await stillResumes(parked);
	});

	test('an answer over 1 MiB is refused, with its length announced or not (R4)', async () => {
		const parked = await park(suspends('Anything', true));
		const url = shownUrl(parked);
		const tooLarge = JSON.stringify('x'.repeat(1024 * 1024));
		expect((await post(url, tooLarge, json)).status).toBe(413);
		expect(await chunked(url, tooLarge)).toBe(413);
		// Fewer characters than 1 Mi, more bytes.
		expect((await post(url, JSON.stringify('ß'.repeat(600_000)), json)).status).toBe(413);
		expect((await post(url, tooLarge.repeat(20), json)).ok).toBe(false);
		await stillResumes(parked, 'x'.repeat(1024 * 1024 - 2));
	});

	test('an answer for an item that does not wait is refused, and the right item goes through', async () => {
		const parked = await park();
		for (const item of ['1', '-1', '00', '0.0', '1e0', 'zero', '999999999999999999999', '']) {
			const refused = await postAnswer(`${shownUrl(parked)}&item=${item}`, GOOD);
			expect([item, refused.status]).toEqual([item, 404]);
			expect(await refused.json()).toMatchObject({ status: 'not-waiting' });
		}
		const { rest } = host();
		expect((await rest.execution(parked.id)).status).toBe('waiting');
		expect((await postAnswer(`${shownUrl(parked)}&item=0&x=1`, GOOD)).status).toBe(200);
		await rest.waitForExecution(parked.id, ['success']);
	});

	test('an answer that names several items, or an item in another shape, is not taken for the one that waits', async () => {
		const parked = await park();
		for (const query of ['item=1&item=0', 'item=0&item=1', 'item[a]=0', 'item[]=1']) {
			const refused = await postAnswer(`${shownUrl(parked)}&${query}`, GOOD);
			expect([query, [400, 404].includes(refused.status)]).toEqual([query, true]);
		}
		await stillResumes(parked);
	});

	test('without the right token nothing is shown and nothing is taken', async () => {
		const parked = await park();
		const right = new URL(shownUrl(parked));
		const token = right.searchParams.get('signature') ?? '';
		expect(token.length).toBeGreaterThanOrEqual(32);
		for (const signature of [
			undefined,
			'',
			'x',
			`${token}0`,
			token.slice(1),
			token.toUpperCase(),
		]) {
			if (signature === token) continue;
			const url = new URL(right);
			url.searchParams.delete('signature');
			if (signature !== undefined) url.searchParams.set('signature', signature);
			for (const response of [
				await fetch(url, { headers: { accept: 'text/html' } }),
				await fetch(url, { headers: { accept: 'application/json' } }),
				await postAnswer(url.href, GOOD),
			]) {
				expect(response.status).toBe(401);
				expect(await response.text()).not.toMatch(/colour|relay|Pick/);
			}
		}
		const other = await park();
		const mixed = new URL(shownUrl(other));
		mixed.searchParams.set('signature', token);
		expect((await postAnswer(mixed.href, GOOD)).status).toBe(401);
		await stillResumes(parked);
		await stillResumes(other);
	});
});

describe('looking changes nothing', () => {
	test('GET shows the reason and a form, escaped, with headers that keep the address in (R8)', async () => {
		const parked = await park();
		const page = await fetch(shownUrl(parked), {
			headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' },
		});
		expect(page.status).toBe(200);
		const policy = page.headers.get('content-security-policy') ?? '';
		expect(policy).toContain("default-src 'none'");
		expect(policy).toContain("frame-ancestors 'none'");
		expect(policy).not.toContain('unsafe');
		expect(Object.fromEntries(page.headers)).toMatchObject({
			'content-type': 'text/html; charset=utf-8',
			'referrer-policy': 'no-referrer',
			'x-content-type-options': 'nosniff',
			'x-frame-options': 'DENY',
			'cache-control': 'no-store',
		});
		const html = await page.text();
		expect(html).toContain('Pick a colour &lt;b&gt;');
		expect(html).not.toContain('<b>&');
		expect(html).toContain('id="answer"');
		expect(html).toMatch(/colour/);
		const nonce = /'nonce-([^']+)'/.exec(policy)?.[1] ?? 'none';
		expect(html).toContain(`<script nonce="${nonce}">`);
		const again = await fetch(shownUrl(parked));
		expect(again.headers.get('content-security-policy')).not.toContain(nonce);
		await stillResumes(parked);
	});

	test('GET for JSON lists what waits (R9)', async () => {
		const parked = await park();
		const response = await fetch(shownUrl(parked), { headers: { accept: 'application/json' } });
		expect(response.status).toBe(200);
		expect(response.headers.get('content-type')).toMatch(/^application\/json/);
		expect(response.headers.get('cache-control')).toBe('no-store');
		expect(await response.json()).toEqual({
			status: 'waiting',
			items: [
				{
					item: 0,
					tool: 'relay',
					server_name: 'demo',
					kind: 'person',
					reason: REASON,
					input_schema: SCHEMA,
					parked_at: expect.stringMatching(/Z$/),
					deadline: null,
				},
			],
		});
		await stillResumes(parked);
	});

	test('GET for a signal shows what is awaited, with the form behind a disclosure (R8)', async () => {
		const parked = await park(
			sendsPark({ suspend: { reason: 'A quote', input_schema: SCHEMA, kind: 'signal' } }),
		);
		const html = await (await fetch(shownUrl(parked))).text();
		expect(html).toContain('A quote');
		expect(html).toMatch(/<details[\s\S]*id="answer"[\s\S]*<\/details>/);
		await stillResumes(parked);
	});

	test('ten GETs, HEAD and OPTIONS, as mail scanners and previews send them, change nothing (R8)', async () => {
		const { rest } = host();
		const parked = await park();
		const before = await rest.execution(parked.id);
		const looks = Array.from({ length: 10 }, async (_, index) => {
			const accept = ['*/*', 'text/html', 'application/json', 'image/png', ''][index % 5] ?? '';
			const response = await fetch(shownUrl(parked), { headers: { accept } });
			await response.text();
			return response.status;
		});
		expect(new Set(await Promise.all(looks))).toEqual(new Set([200]));
		for (const method of ['HEAD', 'OPTIONS', 'PUT', 'PATCH', 'DELETE']) {
			await (await fetch(shownUrl(parked), { method })).text();
		}
		const withAnswer = new URL(shownUrl(parked));
		withAnswer.searchParams.set('answer', good);
		withAnswer.searchParams.set('colour', 'red');
		await (await fetch(withAnswer)).text();
		expect(await rest.execution(parked.id)).toEqual(before);
		await stillResumes(parked);
	});

	test('after the answer the page is gone, for people and for programs', async () => {
		const parked = await park();
		await stillResumes(parked);
		for (const accept of ['text/html', 'application/json']) {
			const late = await fetch(shownUrl(parked), { headers: { accept } });
			expect(late.ok).toBe(false);
			expect(await late.text()).not.toMatch(/id="answer"|colour/);
		}
	});
});

describe('a schema that cannot be used does not lose the run: any answer is taken, and all are told', () => {
	test.each([
		['a type that does not exist', { type: 'objekt' }],
		['a reference to nowhere', { $ref: '#/$defs/nowhere' }],
		['a reference to another address', { $ref: 'https://example.com/schema.json' }],
		['a draft that does not exist', { $schema: 'https://example.com/draft-99', type: 'object' }],
	])('%s', async (_, schema) => {
		const { rest } = host();
		const parked = await park(suspends('Whatever', schema));
		const [warning] = callOf(parked).warnings as readonly string[];
		expect(warning).toMatch(/Any answer is accepted/);
		const listing = await fetch(shownUrl(parked), { headers: { accept: 'application/json' } });
		const { items } = (await listing.json()) as { items: readonly Json[] };
		expect(items[0]).toMatchObject({ input_schema: schema, warning });
		const html = await (await fetch(shownUrl(parked))).text();
		expect(html).toMatch(/accept/);
		await stillResumes(parked, { any: ['thing'] });
		expect(callOf(await rest.execution(parked.id)).warnings).toEqual([warning]);
	});
});

describe('odd requests neither resume nor fail the execution (R11, I4)', () => {
	test('large headers and a strange Accept', async () => {
		const parked = await park();
		const url = shownUrl(parked);
		expect((await fetch(url, { headers: { accept: 'x/y;q=banana,,;=' } })).status).toBe(200);
		expect((await fetch(url, { headers: { accept: `${'a'.repeat(9000)}/json` } })).status).toBe(
			200,
		);
		expect((await fetch(url, { headers: { 'x-big': 'b'.repeat(30_000) } })).status).toBe(431);
		const refused = await post(url, '{}', { ...json, accept: '\u00e9', 'x-forwarded-for': "'--" });
		expect(refused.status).toBe(422);
		await stillResumes(parked);
	});

	test('compressed bodies, right and broken', async () => {
		const parked = await park();
		const url = shownUrl(parked);
		const gzip = { ...json, 'content-encoding': 'gzip' };
		const bytes = (text: string) => new Uint8Array(gzipSync(text));
		expect((await post(url, bytes('{"colour":"green"}'), gzip)).ok).toBe(false);
		expect((await post(url, 'not gzip', gzip)).ok).toBe(false);
		expect((await post(url, bytes(good).slice(0, 12), gzip)).ok).toBe(false);
		const unknown = { ...json, 'content-encoding': 'nonsense' };
		expect((await post(url, good, unknown)).status).toBe(415);
		expect((await post(url, good, { ...json, 'content-encoding': 'br' })).status).toBe(415);
		// One that blows up past the cap once it is unpacked.
		expect((await post(url, bytes(`"${'x'.repeat(3_000_000)}"`), gzip)).status).toBe(413);
		await stillResumes(parked);
	});

	test('JSON of 50,000 levels, also when any answer is allowed', async () => {
		const deep = '['.repeat(50_000) + ']'.repeat(50_000);
		const strict = await park();
		expect((await post(shownUrl(strict), deep, json)).ok).toBe(false);
		expect((await post(shownUrl(strict), `{"colour":${deep}}`, json)).ok).toBe(false);
		await stillResumes(strict);
		const free = await park(suspends('Anything', true));
		expect((await post(shownUrl(free), deep, json)).ok).toBe(false);
		expect((await post(shownUrl(free), `{"a":${deep}}`, json)).ok).toBe(false);
		await stillResumes(free);
	});

	test('an answer of 200 levels is kept whole, and one of 201 is refused whatever the schema says', async () => {
		const { rest } = host();
		const parked = await park(suspends('Anything', true));
		const nested = (levels: number) => `${'['.repeat(levels)}1${']'.repeat(levels)}`;
		for (const levels of [201, 1_500, 10_000]) {
			const refused = await post(shownUrl(parked), nested(levels), json);
			expect(refused.status).toBe(422);
			expect(await refused.json()).toEqual({
				status: 'rejected',
				issues: [{ path: '$', message: expect.stringContaining('200 levels') }],
			});
		}
		expect((await rest.execution(parked.id)).status).toBe('waiting');
		expect((await post(shownUrl(parked), nested(200), json)).status).toBe(200);
		const done = await rest.waitForExecution(parked.id, ['success']);
		expect(levelsOf(jsonOf(done, 'After')[0]?.output)).toBe(200);
	});

	test('other texts that only nearly are JSON', async () => {
		const parked = await park();
		const url = shownUrl(parked);
		for (const body of [
			`${good}${good}`,
			`{'colour':'red'}`,
			'{"colour":"red",}',
			'NaN',
			'\u0000',
		]) {
			expect([body, (await post(url, body, json)).ok]).toEqual([body, false]);
		}
		const utf16 = new Uint8Array(Buffer.from(good, 'utf16le'));
		expect((await post(url, utf16, json)).ok).toBe(false);
		const twice = '{"colour":"red","colour":"green"}';
		expect((await post(url, twice, json)).status).toBe(422);
		await stillResumes(parked);
	});

	test('a resume address with more path, or of an execution that does not exist', async () => {
		const parked = await park();
		const url = new URL(shownUrl(parked));
		for (const suffix of ['/x', '/../x', '/%00', '/default']) {
			const longer = new URL(url);
			longer.pathname += suffix;
			expect((await postAnswer(longer.href, GOOD)).ok).toBe(false);
		}
		const nobody = new URL(url);
		nobody.pathname = '/webhook-waiting/99999999';
		expect((await postAnswer(nobody.href, GOOD)).ok).toBe(false);
		await stillResumes(parked);
	});
});

test('of ten right answers at once exactly one is taken, and the run goes on once (R10)', async () => {
	const { rest } = host();
	const parked = await park(suspends('Anything', true));
	const responses = await Promise.all(
		Array.from({ length: 10 }, async (_, index) => ({
			index,
			status: (await postAnswer(shownUrl(parked), index)).status,
		})),
	);
	const taken = responses.filter(({ status }) => status >= 200 && status < 300);
	expect(taken).toEqual([{ index: expect.any(Number), status: 200 }]);
	const done = await rest.waitForExecution(parked.id, ['success']);
	expect(jsonOf(done, 'Call').map(({ output }) => output)).toEqual([taken[0]?.index]);
	expect(done.runData.After).toHaveLength(1);
	expect((await rest.execution(parked.id)).status).toBe('success');
});

describe('a node whose name is hostile to expressions parks and resumes', () => {
	test.each([
		['quotes', `it's "quoted" \`twice\``],
		['backslashes', 'back\\slash \\" \\u0041 \\'],
		['braces', '}} {{ $json }} {{'],
		['an expression', '={{ $json.call }}'],
		['a template and a comment', '${1 + 1} $("x") // /* '],
		['an emoji and line separators', '🦉 émoji \u202e rtl \u2028 line'],
		['markup', '<script>alert(1)</script>'],
		['the name of a built-in', 'constructor'],
		['2,000 characters', 'n'.repeat(2_000)],
	])('%s', async (_, name) => {
		const { rest } = host();
		const call = suspends(REASON, SCHEMA);
		const parked = await runUntil(
			rest,
			workflow([
				manualTrigger(),
				relay(credential, call, {}, name),
				setFields({ colour: '{{ $json.output.colour }}' }),
			]),
			['waiting'],
		);
		const url = shownUrl(parked, name);
		expect((await postAnswer(url, { colour: 'green' })).status).toBe(422);
		expect((await fetch(url)).status).toBe(200);
		expect((await postAnswer(url, GOOD)).status).toBe(200);
		const done = await rest.waitForExecution(parked.id, ['success']);
		expect(jsonOf(done, 'After')).toEqual([{ colour: 'red' }]);
		expect(parkServer.calls(call.tag)).toHaveLength(1);
	});
});

function levelsOf(value: unknown): number {
	let levels = 0;
	for (let inner = value; Array.isArray(inner); levels++) inner = (inner as unknown[])[0];
	return levels;
}

/** Posts a body without saying how long it is; gives the status. */
async function chunked(url: string, body: string): Promise<number | undefined> {
	return await new Promise((resolve, reject) => {
		const outgoing = request(url, { method: 'POST', headers: json }, (response) => {
			response.resume();
			response.once('end', () => {
				resolve(response.statusCode);
			});
		});
		outgoing.once('error', reject);
		for (let start = 0; start < body.length; start += 65_536) {
			outgoing.write(body.slice(start, start + 65_536));
		}
		outgoing.end();
	});
}
