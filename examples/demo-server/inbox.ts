import type { IncomingMessage, ServerResponse } from 'node:http';

const LARGEST_BYTES = 64 * 1024;
const MOST_MESSAGES = 50;

type Message = { readonly text: string; readonly link?: string; readonly at: Date };

/** Takes a request for the inbox: POST leaves a message, GET shows them. */
export type Inbox = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/**
 * An inbox that needs no account: a workflow posts `{ "text", "link" }` to it, the link if it has one, where it would send a mail, and a person
 * opens it in a browser. Messages are kept in memory only, because who has a link may answer.
 */
export function openInbox(): Inbox {
	const messages: Message[] = [];
	return async (request, response) => {
		switch (request.method) {
			case 'GET':
				response
					.writeHead(200, {
						'content-type': 'text/html; charset=utf-8',
						'cache-control': 'no-store',
						'referrer-policy': 'no-referrer',
						'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
					})
					.end(page(messages));
				return;
			case 'POST': {
				const message = readMessage(request, await readBody(request));
				if (message === undefined) {
					response.writeHead(400).end('Post JSON: { "text": "…", "link": "https://…" }');
					return;
				}
				messages.unshift(message);
				messages.length = Math.min(messages.length, MOST_MESSAGES);
				response
					.writeHead(201, { 'content-type': 'application/json' })
					.end(JSON.stringify({ status: 'delivered' }));
				return;
			}
			default:
				response.writeHead(405, { allow: 'GET, POST' }).end();
		}
	};
}

async function readBody(request: IncomingMessage): Promise<string | undefined> {
	const chunks: Buffer[] = [];
	let bytes = 0;
	for await (const chunk of request as AsyncIterable<Buffer>) {
		bytes += chunk.length;
		if (bytes > LARGEST_BYTES) return undefined;
		chunks.push(chunk);
	}
	return Buffer.concat(chunks).toString('utf8');
}

/** Only JSON by name: a web page elsewhere cannot post that without asking first. */
function readMessage(request: IncomingMessage, body: string | undefined): Message | undefined {
	if (body === undefined || !/^application\/json\b/i.test(request.headers['content-type'] ?? ''))
		return undefined;
	try {
		const value: unknown = JSON.parse(body);
		if (typeof value !== 'object' || value === null) return undefined;
		const { text, link }: { text?: unknown; link?: unknown } = value;
		if (typeof text !== 'string') return undefined;
		if (link === undefined) return { text, at: new Date() };
		if (typeof link !== 'string') return undefined;
		const scheme = URL.parse(link)?.protocol;
		return scheme === 'http:' || scheme === 'https:' ? { text, link, at: new Date() } : undefined;
	} catch {
		return undefined;
	}
}

function page(messages: readonly Message[]): string {
	const rows = messages.map(
		({ text, link, at }) =>
			`<li><time>${escape(at.toISOString())}</time><p>${escape(text)}</p>${link === undefined ? '' : `<a href="${escape(link)}">Open</a>`}</li>`,
	);
	return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Inbox of the demo server</title>
<style>
	:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif }
	body { max-width: 40rem; margin: 2rem auto; padding: 0 1rem }
	ul { padding: 0; list-style: none }
	li { padding: 1rem 0; border-top: 1px solid #8886 }
	p { margin: .25rem 0; white-space: pre-wrap }
</style>
<h1>Inbox</h1>
${rows.length === 0 ? '<p>No messages yet.</p>' : `<ul>${rows.join('\n')}</ul>`}
</html>
`;
}

const escape = (text: string): string =>
	text
		.replaceAll('&', '&amp;')
		.replaceAll('<', '&lt;')
		.replaceAll('>', '&gt;')
		.replaceAll('"', '&quot;');
