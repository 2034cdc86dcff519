import { describe, expect, it } from 'vitest';

import { calls } from './situations/calls';
import { fields } from './situations/fields';
import { keys } from './situations/keys';
import { ledgers } from './situations/ledgers';
import { listings } from './situations/listings';
import { oauth } from './situations/oauth';
import { programs } from './situations/programs';
import { refusals } from './situations/refusals';
import { results } from './situations/results';
import { servers } from './situations/servers';
import type { Situations } from './situations/situations';
import { waits } from './situations/waits';
import { tableUnder, textOf } from './tablesOf';

const page = textOf('docs/troubleshooting.md');

const entries = [...page.matchAll(/^## (.+)$/gm)]
	.flatMap(([, heading = '']) => tableUnder(page, heading))
	.map(([said = '']) => said);

/** Whether a sentence is what an entry quotes; `…` stands for any text. */
function isQuotedBy(entry: string, sentence: string): boolean {
	const quoted = /^`(.+)`$/.exec(entry)?.[1];
	if (quoted === undefined) throw new Error(`No quoted text: ${entry}`);
	const pattern = quoted
		.split('…')
		.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
	return new RegExp(`^${pattern.join('.+')}$`, 's').test(sentence);
}

const situations: Situations = {
	...calls,
	...fields,
	...keys,
	...ledgers,
	...listings,
	...oauth,
	...programs,
	...refusals,
	...results,
	...servers,
	...waits,
};

const met = new Map<string, string | Promise<string>>();

/** What the code says in a situation, which is met once. */
async function sentenceIn(situation: string): Promise<string> {
	const sentence = met.get(situation) ?? situations[situation]?.() ?? '';
	met.set(situation, sentence);
	return await sentence;
}

describe('the page on troubles', () => {
	it.each(Object.keys(situations))('has one entry for what is said of %s', async (situation) => {
		const sentence = await sentenceIn(situation);
		const quoting = entries.filter((entry) => isQuotedBy(entry, sentence));
		expect(quoting, sentence).toHaveLength(1);
	});

	it.each(entries)('quotes what is really said: %s', async (entry) => {
		const sentences = await Promise.all(Object.keys(situations).map(sentenceIn));
		expect(sentences.filter((sentence) => isQuotedBy(entry, sentence))).not.toEqual([]);
	});
});
