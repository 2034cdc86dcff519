import { expect, it } from 'vitest';
import { publishedCalls } from '../../support/publishedCalls';
import { publishedServers } from '../../support/publishedServers';
import { realTools } from '../../support/realTools';
import { tableUnder, textOf } from './tablesOf';

const page = textOf('docs/servers.md');

it('the table of tried servers names each in its version, what it needs and what is called', () => {
	const told = tableUnder(page, 'Tried').map(([name, version, needs, called]) => ({
		name,
		version,
		needs,
		called: [...(called ?? '').matchAll(/`([^`]+)`/g)].map(([, tool]) => tool),
	}));
	expect(told).toEqual(
		publishedServers.map(({ package: name, version, needs = '' }) => ({
			name: `\`${name}\``,
			version,
			needs,
			called: [...new Set(publishedCalls[name]?.({ folder: '/a' }).map(([tool]) => tool))],
		})),
	);
});

it('the tools that are kept are counted', () => {
	const packages = new Set(realTools.map(({ source }) => source)).size;
	const text = `${String(packages)} packages list, ${String(realTools.length)} in all`;
	expect(page).toContain(text);
});
