import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { z } from 'zod';
import { listenHttp } from '../examples/demo-server/http.ts';

// A server of the SDK's own whose two tools do nothing: over stdio when its first argument says so, else over HTTP for a
// parent that it ends with. Over stdio its second argument says only whose it is.
function newServer(): McpServer {
	const server = new McpServer({ name: 'bench', version: '1.0.0' });
	for (const name of ['read', 'write']) {
		const annotations = { readOnlyHint: name === 'read' };
		server.registerTool(name, { inputSchema: { n: z.number() }, annotations }, ({ n }) => ({
			content: [{ type: 'text', text: String(n) }],
		}));
	}
	return server;
}

if (process.argv[2] === 'stdio') {
	await newServer().connect(new StdioServerTransport());
} else {
	const listening = await listenHttp(0, newServer);
	process.once('disconnect', () => void listening.close());
	process.send?.(listening.url);
}
