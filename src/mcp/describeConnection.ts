import type { HttpSettings, StdioSettings } from '../call/connectionSettings';

/** A connection in a message: transport with host and port, or command with the number of its arguments; nothing secret. */
export function describeConnection(transport: HttpSettings | StdioSettings): string {
	switch (transport.kind) {
		case 'streamableHttp':
			return `the MCP server at ${URL.canParse(transport.endpoint) ? hostAndPort(new URL(transport.endpoint)) : 'an invalid endpoint'}`;
		case 'stdio':
			return `the MCP server started by ${describeCommand(transport)}`;
	}
}

/** The command and the number of its arguments, never the arguments themselves. */
export function describeCommand(stdio: StdioSettings): string {
	const count = stdio.arguments.length;
	return `"${stdio.command}" (${String(count)} ${count === 1 ? 'argument' : 'arguments'})`;
}

/** The host of a URL with its port, the scheme's own one included, and without user and password. */
export function hostAndPort(url: URL): string {
	const port = url.port === '' ? (url.protocol === 'https:' ? '443' : '80') : url.port;
	return `${url.hostname}:${port}`;
}
