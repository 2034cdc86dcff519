import { afterEach, expect, test } from 'vitest';

import type { Json } from '../../scripts/host/json';
import { openSession } from '../../src/mcp/openSession';
import { http, valueOf } from '../support/connections';
import { realTools } from '../support/realTools';
import { listed, startToolServer, type ToolServer } from '../support/servers/toolServer';

const endings: (() => Promise<unknown>)[] = [];

afterEach(async () => {
	for (const end of endings.splice(0).reverse()) await end();
});

async function listing(server: ToolServer) {
	endings.push(() => server.stop());
	const session = valueOf(await openSession({ env: {} })(http(server.endpoint)));
	endings.push(() => session.close());
	return valueOf(await session.listTools());
}

test('761 tools of published servers come out of all their pages as they went in (C4, U16, U18)', async () => {
	const tools = realTools.map(({ source, listed: entry }) => ({
		listed: { ...entry, name: `${source}/${String(entry.name)}` },
	}));
	const server = await startToolServer(tools, { pageSize: 7 });
	const found = await listing(server);
	const kept = tools.map(({ listed: entry }: { readonly listed: Json }) => {
		const { name, title, description, inputSchema, outputSchema, annotations } = entry;
		return { name, title, description, inputSchema, outputSchema, annotations, problems: [] };
	});
	expect(found).toEqual(kept);
	expect(server.pagesRead()).toBe(Math.ceil(761 / 7));
});

test('a thousand pages are a list like any other (C4)', async () => {
	const tools = Array.from({ length: 1000 }, (_, n) => ({ listed: listed(`tool_${String(n)}`) }));
	const server = await startToolServer(tools, { pageSize: 1 });
	expect((await listing(server)).map(({ name }) => name)).toEqual(
		tools.map(({ listed: { name } }) => name),
	);
	expect(server.pagesRead()).toBe(1000);
});
