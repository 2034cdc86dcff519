import type { INodeProperties } from 'n8n-workflow';
import { expect, it } from 'vitest';

import { policyProperties } from '../../../credentials/policyProperties';
import { textOf } from './tablesOf';

const effects = textOf('docs/policy.md').split(/^## /m)[1] ?? '';

/** Every property in these, those inside collections included. */
const within = (properties: readonly INodeProperties[]): readonly INodeProperties[] =>
	properties.flatMap((property) => [
		property,
		...(property.options ?? []).flatMap((option) => ('values' in option ? option.values : [])),
	]);

it('the page on the policy names each choice of a row under Effects', () => {
	const field = within(policyProperties).find(({ name }) => name === 'effect');
	const choices = (field?.options ?? []).map(({ name }) => name);
	expect(choices).toHaveLength(4);
	expect(effects).toMatch(/^Effects\n/);
	for (const choice of choices) expect(effects).toContain(choice);
	expect(field?.default).toBe('server');
});
