import type { HttpSettings, StdioSettings } from '../call/connectionSettings';

/** A connection in a message: transport with host and port, or command with the number of its arguments; nothing secret. */
export function describeConnection(transport: HttpSettings | StdioSettings): string {
	switch (transport.kind) {
		case 'streamableHttp':
			return `the MCP server at ${hostAndPort(transport.endpoint)}`;
		case 'stdio':
			return `the MCP server started by ${describeCommand(transport)}`;
	}
}

/** The command and the number of its arguments, never the arguments themselves. */
export function describeCommand(stdio: StdioSettings): string {
	const count = stdio.arguments.length;
	return `"${stdio.command}" (${String(count)} ${count === 1 ? 'argument' : 'arguments'})`;
}

function hostAndPort(endpoint: string): string {
	if (!URL.canParse(endpoint)) return 'an invalid endpoint';
	const url = new URL(endpoint);
	const port = url.port === '' ? (url.protocol === 'https:' ? '443' : '80') : url.port;
	return `${url.hostname}:${port}`;
}
