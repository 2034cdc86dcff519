import { expect, it } from 'vitest';

import { serverProperties } from '../../../credentials/serverProperties';
import { readConnection } from '../../../src/n8n/readConnection';
import { failureOf } from '../../support/connections';
import { tableUnder, textOf } from './tablesOf';

it.each([
	['Request Timeout', 'requestTimeout'],
	['Maximum Duration', 'maxDuration'],
] as const)('the page on connections states the unit and the bounds of %s', (title, name) => {
	const refused = failureOf(
		readConnection({ endpoint: 'https://mcp.example.com/mcp', maxDuration: 1e9, [name]: 1e9 }),
	);
	const [, most = 'no number'] = /from 1 to ([\d,]+)$/.exec(refused.message) ?? [];
	const [, cell = ''] = tableUnder(textOf('docs/connection.md'), 'For both').find(
		([field]) => field === title,
	) ?? [''];
	const unlessTold = serverProperties.find((field) => field.name === name)?.default;
	expect(cell).toMatch(/^whole seconds /);
	expect(cell).toContain(`(${JSON.stringify(unlessTold)})`);
	expect(cell).toContain(` to ${most}`);
});
