import { describe, expect, it } from 'vitest';
import { jsonBlock } from '../../../src/page/escape';
import { pageHeaders } from '../../../src/page/pageHeaders';
import type { AnswerModel, ListedItem, PageModel } from '../../../src/page/pageModel';
import { renderPage as render } from '../../../src/page/renderPage';

const NONCE = 'nonce-of-this-test';
const renderPage = (model: PageModel) => render(model, { nonce: NONCE, script: 'go()' });
const HOSTILE = `</script><script>alert(1)</script>"'><img src=x onerror=alert(1)>`;

function person(schema: unknown, more: Partial<AnswerModel> = {}): AnswerModel {
	return {
		kind: 'person',
		reason: 'May this be paid?',
		tool: 'request_payment',
		parkedAt: '2026-11-03T09:12:00.000Z',
		schema,
		...more,
	};
}

/** Tags that a browser would see, in order. */
const scriptTags = (html: string) => html.match(/<script[^>]*>/g);

describe('the resume page (R8)', () => {
	it('lets nothing in but its own style and script', () => {
		const policy = pageHeaders(NONCE)['Content-Security-Policy'];
		expect(policy).toBe(
			`default-src 'none'; style-src 'nonce-${NONCE}'; script-src 'nonce-${NONCE}'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
		);
		expect(pageHeaders(NONCE)).toMatchObject({
			'Content-Type': 'text/html; charset=utf-8',
			'Referrer-Policy': 'no-referrer',
			'X-Content-Type-Options': 'nosniff',
			'X-Frame-Options': 'DENY',
			'Cache-Control': 'no-store',
		});
	});

	it('escapes everything that came from the server, wherever it stands', () => {
		const schema: unknown = {
			type: 'object',
			title: HOSTILE,
			properties: {
				[HOSTILE]: { type: 'string', description: HOSTILE, default: HOSTILE, format: HOSTILE },
				choice: { enum: [HOSTILE, 'b'], title: HOSTILE },
				long: { type: 'string', maxLength: 999, default: HOSTILE },
				any: { default: HOSTILE },
			},
		};
		const hostile = { reason: HOSTILE, tool: HOSTILE, serverName: HOSTILE, workflowName: HOSTILE };
		const html = renderPage(
			person(schema, { ...hostile, schemaWarning: HOSTILE, parkedAt: HOSTILE }),
		);
		expect(scriptTags(html)).toEqual([
			'<script type="application/json" id="model">',
			`<script nonce="${NONCE}">`,
		]);
		expect(html).not.toContain('<img');
		expect(html).not.toContain(`"'>`);
		for (const page of [
			renderPage({ kind: 'problem', title: HOSTILE, message: HOSTILE }),
			renderPage({ ...hostile, kind: 'sleep', until: HOSTILE, parkedAt: HOSTILE }),
		]) {
			expect(scriptTags(page)).toHaveLength(1);
			expect(page).not.toContain('<img');
		}
	});

	describe('says below what its address is good for', () => {
		const origin = { tool: 'pay', parkedAt: '2026-11-03T09:12:00.000Z' };
		const listed = (more: Partial<ListedItem> = {}): ListedItem => ({
			item: 0,
			kind: 'person',
			tool: 'pay',
			text: 'Pay?',
			href: '?item=0',
			...more,
		});
		const answered = {
			kind: 'answered',
			reason: 'Pay?',
			answeredAt: '2026-11-03T10:00:00Z',
		} as const;
		const expired = { kind: 'expired', reason: 'Pay?', deadline: '2026-11-03T10:00:00Z' } as const;
		const sleep = { kind: 'sleep', until: '2099-11-03T10:00:00Z' } as const;
		const woke = { kind: 'woke', until: '2026-11-03T10:00:00Z' } as const;
		const several = { ...origin, listHref: '?a=1' };
		const looking = 'Opening this page changes nothing.';
		const all = `${looking} Keep its address to yourself: whoever has it can answer.`;
		const others = `${looking} Keep its address to yourself: whoever has it can answer what still waits.`;

		it.each<[string, PageModel, string]>([
			['a person is asked', person({}), all],
			['a signal is awaited', person({}, { kind: 'signal' }), all],
			['something of a list waits', { kind: 'list', items: [listed()] }, all],
			[
				'nothing of a list waits',
				{ kind: 'list', items: [listed({ kind: 'sleep' }), listed({ isOver: true })] },
				looking,
			],
			['it sleeps', { ...sleep, ...origin }, looking],
			['it sleeps beside others', { ...sleep, ...several }, others],
			['it woke', { ...woke, ...origin }, looking],
			['it woke beside others', { ...woke, ...several }, others],
			['it is answered', { ...answered, ...origin }, looking],
			['it is answered and others are not', { ...answered, ...several }, others],
			['its time is over', { ...expired, ...origin }, looking],
			['the time of all is over', { ...expired, ...several }, looking],
		])('when %s', (_, model, words) => {
			expect(/<p class="foot" id="foot">(.*)<\/p>/.exec(renderPage(model))?.[1]).toBe(words);
		});

		it('but not where nothing waits', () => {
			expect(renderPage({ kind: 'problem', title: 'x', message: 'y' })).not.toContain('"foot"');
		});
	});

	it('carries data that a script element cannot be left with', () => {
		const block = jsonBlock({ a: '</script><!--\u2028\u2029&' });
		expect(block).not.toMatch(/[<>&\u2028\u2029]/);
		expect(JSON.parse(block)).toEqual({ a: '</script><!--\u2028\u2029&' });
	});

	it('shows a reason of 100 kB whole, in a part that scrolls', () => {
		const reason = 'Because. '.repeat(12_000);
		expect(renderPage(person({}, { reason }))).toContain(reason);
		expect(renderPage(person({}, { reason }))).toContain('scrolling" tabindex="0"');
	});

	it('warns when answers are not checked', () => {
		const html = renderPage(person(true, { schemaWarning: 'the schema is odd' }));
		expect(html).toContain('the schema is odd');
		expect(html).toContain('is not checked');
	});

	it('keeps the operator’s form of a signal closed', () => {
		const html = renderPage({ ...person({}), kind: 'signal' });
		expect(html).toMatch(/<details id="operator">[\s\S]*id="answer"/);
		expect(html).not.toContain('<details id="operator" open');
	});

	it('has no form where there is nothing to answer', () => {
		const sleep = renderPage({
			kind: 'sleep',
			until: '2026-11-05T08:00:00Z',
			tool: 't',
			parkedAt: '2026-11-03T09:12:00Z',
		});
		expect(sleep).not.toContain('id="answer"');
		expect(sleep).toContain('5 November 2026 at 08:00 UTC');
		expect(renderPage({ kind: 'problem', title: 'Gone', message: 'x' })).not.toContain(
			'id="answer"',
		);
	});

	it('loads nothing: no address stands in it but the schema’s own', () => {
		expect(renderPage(person({}))).not.toMatch(/(?:https?:)?\/\/[a-z]/);
	});
});

describe('the list of items that wait (R8)', () => {
	const item = (more: Partial<ListedItem> = {}): ListedItem => ({
		item: 0,
		kind: 'person',
		tool: 'request_payment',
		text: 'May this be paid?',
		href: '?signature=abc&item=0',
		...more,
	});
	const list = (...items: readonly ListedItem[]) => renderPage({ kind: 'list', items });
	const links = (html: string) => [...html.matchAll(/<a href="([^"]*)"/g)].map(([, href]) => href);

	it('escapes hostile reasons, tools, instants, addresses and names', () => {
		const html = renderPage({
			kind: 'list',
			workflowName: HOSTILE,
			items: [
				item({ tool: HOSTILE, text: HOSTILE }),
				item({ kind: 'signal', tool: HOSTILE, text: HOSTILE, answeredAt: HOSTILE }),
				item({ kind: 'sleep', tool: HOSTILE, text: HOSTILE }),
				item({ href: `?signature=${HOSTILE}&item=3` }),
			],
		});
		expect(scriptTags(html)).toHaveLength(1);
		expect(html).not.toContain('<img');
		expect(html).not.toContain(`"'>`);
		expect(links(html)).toHaveLength(2);
	});

	it('cannot have its reading direction turned by a reason or a tool', () => {
		const html = list(item({ text: '\u202Eevil', tool: '\u202Eevil' }));
		const isolatedTexts = [...html.matchAll(/<bdi>([^<]*)<\/bdi>/g)].map(([, inside]) => inside);
		expect(isolatedTexts.filter((inside) => inside?.includes('evil'))).toHaveLength(2);
		expect(html.split('\u202E')).toHaveLength(3);
	});

	it('links what can be answered to its own page and nothing else, numbered from 0 as in the address (R7)', () => {
		const answeredAt = '2026-11-03T10:00:00.000Z';
		const html = list(
			item({ item: 0, href: '?signature=abc&item=0' }),
			item({ item: 1, href: '?signature=abc&item=1', kind: 'signal' }),
			item({ item: 2, href: '?signature=abc&item=2', answeredAt }),
			item({ item: 3, href: '?signature=abc&item=3', kind: 'sleep', text: answeredAt }),
		);
		expect(links(html)).toEqual(['?signature=abc&amp;item=0', '?signature=abc&amp;item=1']);
		expect(html).toContain('2 answers are awaited');
		for (const number of [0, 1, 2, 3]) expect(html).toContain(`Item ${String(number)} `);
		expect(html).not.toContain('Item 4');
	});

	it('says that nothing is awaited when every item was answered', () => {
		const html = list(item({ answeredAt: '2026-11-03T10:00:00.000Z' }));
		expect(html).toContain('<h1>No answer is awaited</h1>');
		expect(links(html)).toEqual([]);
	});

	it('shows the beginning of a long reason', () => {
		const html = list(item({ text: 'Because. '.repeat(12_000) }));
		expect(html).toContain('Because. Bec…');
		expect(html.length).toBeLessThan(40_000);
	});
});

describe('a deadline (P26)', () => {
	const deadline = '2026-12-01T10:00:00.000Z';
	const byDeadline =
		/Answer by[^.]*<time datetime="2026-12-01T10:00:00\.000Z" data-local>1 December 2026/;

	it('is told beside the question, to whoever answers', () => {
		for (const kind of ['person', 'signal'] as const) {
			expect(renderPage(person(true, { kind, deadline }))).toMatch(byDeadline);
			expect(renderPage(person(true, { kind }))).not.toContain('<dt>Answer by');
		}
	});

	it('that has passed says that no answer is taken, and not what the workflow does without one', () => {
		const { reason, tool, parkedAt } = person(true);
		const html = renderPage({ kind: 'expired', reason, tool, parkedAt, deadline });
		expect(html).toMatch(/An answer was awaited until .*; none is taken any more/);
		expect(html).not.toMatch(/goes on|without it/);
	});

	it('is told above the list while something is open in it', () => {
		const open: ListedItem = {
			item: 0,
			kind: 'person',
			tool: 'pay',
			text: 'Pay?',
			href: '?item=0',
		};
		const list = (items: readonly ListedItem[]) => renderPage({ kind: 'list', items, deadline });
		expect(list([open])).toMatch(byDeadline);
		expect(list([{ ...open, answeredAt: '2026-11-30T10:00:00.000Z' }])).not.toContain('Answer by');
	});
});
