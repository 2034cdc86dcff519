import type { IExecuteFunctions } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';

import { readCredentials } from '../../../src/n8n/readCredentials';

const NAME = 'mcpConnectionApi';

/** As much of n8n as the function looks at: the stored credential, and how often it was resolved and for which items. */
function contextOf(stored: unknown, host: 'as-known' | 'changed' = 'as-known') {
	const asked: unknown[] = [];
	const credentialsHelper = {
		getDecrypted: (_data: unknown, { id }: { id: string }, type: string, ...rest: unknown[]) =>
			Promise.resolve(id === 'c1' && type === NAME && rest[2] === true ? stored : undefined),
	};
	const context = {
		additionalData: host === 'as-known' ? { credentialsHelper } : { credentials: {} },
		getNode: () => ({ credentials: { [NAME]: { id: 'c1', name: 'c' } } }),
		getMode: () => 'manual',
		getExecuteData: () => ({}),
		getCredentials: (name: string, item: number) => {
			asked.push(item);
			return item === 13
				? Promise.reject(new Error('no value'))
				: Promise.resolve({ name, resolvedFor: item });
		},
	} as unknown as IExecuteFunctions;
	return { context, asked };
}

describe('the credential of each item (C9)', () => {
	it.each<[string, object]>([
		[
			'without expressions',
			{ endpoint: 'http://a/=x', headers: { header: [{ value: '{{ x }}' }] } },
		],
		['of a secret', { bearerToken: '=Bearer {{ $secrets.vault.token }}' }],
		['of variables', { endpoint: '={{ $vars.url }}/{{$env["PATH_PART"]}}' }],
		['of a fixed text behind an equals sign', { endpoint: '=http://a' }],
	])('%s is read once for all', async (_, stored) => {
		const { context, asked } = contextOf(stored);
		const read = await readCredentials(context, 5);
		expect(asked).toEqual([0]);
		expect(read).toHaveLength(5);
		expect(new Set(read).size).toBe(1);
	});

	it.each<[string, object]>([
		['of the item', { endpoint: '={{ $json.url }}' }],
		[
			'of another node',
			{ headers: { header: [{ name: 'X', value: "={{ $('A').item.json.x }}" }] } },
		],
		['of a variable and the item', { endpoint: '={{ $vars.url }}{{ $json.path }}' }],
		['of a variable chosen by the item', { endpoint: '={{ $vars[$json.name] }}' }],
		['of a call', { endpoint: '={{ $vars.url.replace("x", $json.x) }}' }],
		['of the item number', { arguments: { argument: [{ value: '={{ $itemIndex }}' }] } }],
	])('%s is read for each item', async (_, stored) => {
		const { context, asked } = contextOf(stored);
		const read = await readCredentials(context, 3);
		expect(asked).toEqual([0, 1, 2]);
		expect(read.map((one) => one.ok && one.data)).toEqual(
			[0, 1, 2].map((item) => ({ name: NAME, resolvedFor: item })),
		);
	});

	it('is read for each item where n8n does not show how it is stored', async () => {
		const { context, asked } = contextOf({}, 'changed');
		await readCredentials(context, 3);
		expect(asked).toEqual([0, 1, 2]);
	});

	it('is the error of the item whose expression fails', async () => {
		const { context } = contextOf({ endpoint: '={{ $json.url }}' });
		const read = await readCredentials(context, 15);
		expect(read[13]).toMatchObject({ ok: false, error: { message: 'no value' } });
		expect(read[14]).toMatchObject({ ok: true });
	});
});
