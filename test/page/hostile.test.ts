import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { chromiumPath } from '../../scripts/host/chromium';
import type { AnswerModel } from '../../src/page/pageModel';
import { launchChromium } from '../support/editorPage';
import { type OpenedPage, openPage, widthOver } from '../support/pageBrowser';
import { asking, type PagePeer, startPagePeer } from '../support/pagePeer';

const MARKUP = `</script><script>window.ran = true; alert('ran')</script><img src=x onerror="window.ran=true;alert(1)">`;
const LINK =
	'[click](javascript:alert(1)) <a href="javascript:alert(1)">click</a> ![i](https://example.invalid/i.png)';
const TURNED = '\u202egnp.exe\u2066';
const LONG = 'long '.repeat(20_000);

/** JSON with `__proto__` as an own property, which no literal makes. */
const withProto = (schema: object): unknown =>
	JSON.parse(JSON.stringify(schema).replaceAll('PROTO', '__proto__'));

describe.skipIf(chromiumPath() === undefined)('a server that means harm (R8)', () => {
	let browser: Browser;
	let peer: PagePeer;
	let opened: OpenedPage;

	beforeAll(async () => {
		peer = await startPagePeer();
		browser = await launchChromium(chromiumPath() ?? '');
	});
	beforeEach(() => peer.reset());
	afterEach(async () => {
		await opened.page.context().close();
	});
	afterAll(async () => {
		await browser.close();
		await peer.close();
	});

	async function open(schema: unknown, more: Partial<AnswerModel> = {}): Promise<void> {
		peer.model = asking(schema, more);
		opened = await openPage(browser, peer.address);
		await opened.page.getByRole('button', { name: 'Send answer' }).first().waitFor();
	}

	/** Sends, and gives the text of the answer that was taken. */
	async function sent(): Promise<string> {
		await opened.page.getByRole('button', { name: 'Send answer' }).click();
		await opened.page.getByRole('heading', { name: 'Your answer was recorded' }).waitFor();
		return peer.posted.at(-1) ?? '';
	}

	async function nothingHappened(): Promise<void> {
		const { page, complaints, requests } = opened;
		expect(await page.evaluate('window.ran')).toBeUndefined();
		expect(await page.locator('img, iframe, object, embed, a[href^="javascript" i]').count()).toBe(
			0,
		);
		expect(await page.locator('script:not([nonce]):not([type="application/json"])').count()).toBe(
			0,
		);
		expect(await widthOver(page)).toBe(0);
		expect(complaints).toEqual([]);
		expect(requests.filter((url) => url !== peer.address)).toEqual([]);
		expect(await page.evaluate('Object.keys(Object.prototype).length')).toBe(0);
	}

	it('runs nothing and loads nothing, whatever reasons, titles, names, labels and defaults hold', async () => {
		await open(
			withProto({
				type: 'object',
				title: MARKUP,
				description: LINK,
				properties: {
					PROTO: { type: 'string', title: MARKUP, description: `javascript:alert(1) ${MARKUP}` },
					constructor: { type: 'string', default: `"><script>alert(2)</script>` },
					[MARKUP]: { enum: [MARKUP, TURNED, 'c', 'd', 'e', 'f', 'g'] },
					link: { type: 'string', format: 'uri', default: 'javascript:alert(1)' },
					part: {
						type: 'object',
						title: LINK,
						properties: { PROTO: { enum: [TURNED, MARKUP] } },
						required: ['PROTO'],
					},
					rows: {
						type: 'array',
						title: MARKUP,
						minItems: 1,
						items: {
							title: MARKUP,
							oneOf: [
								{ type: 'string', title: MARKUP },
								{ type: 'integer', title: LINK },
							],
						},
					},
				},
				required: ['PROTO', 'part', 'rows'],
			}),
			{
				reason: `${MARKUP}${TURNED} ${LONG}`,
				tool: `javascript:alert(3)${MARKUP}`,
				serverName: `${TURNED}Server ${MARKUP}`,
				workflowName: MARKUP,
			},
		);
		const { page } = opened;
		await nothingHappened();
		await page.getByRole('button', { name: 'Send answer' }).click();
		await page.getByRole('alert').waitFor();
		await nothingHappened();
		await page.locator(`[data-path='$.__proto__'] input`).fill(MARKUP);
		await page.locator(`[data-path='$.part.__proto__'] input`).first().check();
		await page.locator(`[data-path='$.rows[0]'] input[type=text]`).fill(TURNED);
		const answer = await sent();
		expect(JSON.parse(answer)).toStrictEqual(
			withProto({
				PROTO: MARKUP,
				constructor: `"><script>alert(2)</script>`,
				link: 'javascript:alert(1)',
				part: { PROTO: TURNED },
				rows: [TURNED],
			}),
		);
		expect(answer).toContain('"__proto__":');
		await nothingHappened();
		expect(await page.locator('.recorded').innerText()).toContain('<img src=x onerror=');
	});

	it('sends exactly the properties that were typed, in a map of names that the reader chose', async () => {
		await open({ type: 'object', additionalProperties: { type: 'string' } });
		const { page } = opened;
		const typed = ['__proto__', 'constructor', 'toString', 'a.b["c"]', '</script>'];
		for (const name of typed) {
			await page.getByRole('button', { name: 'Add an entry' }).click();
			await page.locator('.named input').last().fill(name);
			await page.locator('.named input').last().blur();
			await page.locator('[data-leaf=true] .field:not(.named) input').last().fill(`of ${name}`);
		}
		const answer = JSON.parse(await sent()) as object;
		expect(Object.entries(answer).toSorted()).toEqual(
			typed.map((name) => [name, `of ${name}`]).toSorted(),
		);
		await nothingHappened();
	});

	it('stays usable with 1,000 properties', { timeout: 120_000 }, async () => {
		const properties = Object.fromEntries(
			Array.from({ length: 1000 }, (_, n) => [
				`p${String(n)}`,
				{ type: n % 2 === 0 ? 'string' : 'integer' },
			]),
		);
		await open({ type: 'object', properties });
		const { page } = opened;
		const begun = Date.now();
		await page.locator(`[data-path='$.p998'] input`).pressSequentially('hello');
		const perKeyMs = (Date.now() - begun) / 5;
		await page.locator(`[data-path='$.p999'] input`).fill('7');
		expect(JSON.parse(await sent())).toEqual({ p998: 'hello', p999: 7 });
		expect(perKeyMs).toBeLessThan(3000);
		await nothingHappened();
	});

	it(
		'stays usable with 40 levels, references in circles and texts of 100 kB',
		{ timeout: 120_000 },
		async () => {
			let deep: unknown = { type: 'string', title: 'Bottom' };
			for (let level = 0; level < 40; level++) {
				deep = {
					type: 'object',
					title: `Level ${String(level)}`,
					properties: { in: deep },
					required: ['in'],
				};
			}
			await open({
				$defs: {
					a: { $ref: '#/$defs/b' },
					b: { $ref: '#/$defs/a' },
					tree: {
						type: 'object',
						properties: { left: { $ref: '#/$defs/tree' }, right: { $ref: '#/$defs/tree' } },
						required: ['left'],
					},
				},
				type: 'object',
				properties: {
					deep,
					circle: { $ref: '#/$defs/a' },
					tree: { $ref: '#/$defs/tree' },
					again: { $ref: '#' },
					text: { type: 'string', title: LONG, description: LONG, default: LONG },
					pick: { enum: [LONG, 'short'] },
				},
			});
			const { page } = opened;
			await page.getByRole('button', { name: 'Add Tree' }).click();
			await page.getByRole('button', { name: 'Leave out Tree' }).click();
			await page.getByRole('radio', { name: 'short', exact: true }).check();
			expect(JSON.parse(await sent())).toEqual({ text: LONG, pick: 'short' });
			await nothingHappened();
		},
	);

	it('runs no pattern of the server in the reader’s browser', async () => {
		await open({
			type: 'object',
			properties: {
				a: { type: 'string', pattern: '^(a+)+$' },
				m: { type: 'object', patternProperties: { '^(b+)+$': { type: 'string' } } },
			},
			if: { properties: { a: { pattern: '^(a+)+$' } }, required: ['a'] },
			then: { properties: { more: { type: 'string', title: 'More' } } },
		});
		await opened.page.locator(`[data-path='$.a'] input`).fill(`${'a'.repeat(60)}!`);
		await opened.page.getByLabel('More').waitFor();
		await nothingHappened();
	});
});
