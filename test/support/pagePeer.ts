import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { projectRoot } from '../../scripts/host/paths';
import { bundlePageClient } from '../../scripts/lib/pageClient.mjs';
import { pageHeaders } from '../../src/page/pageHeaders';
import type { AnswerModel, PageModel } from '../../src/page/pageModel';
import { renderPage } from '../../src/page/renderPage';
import { compileSchema } from '../../src/schema/checkSchema';

export interface PageReply {
	/** 0 breaks the connection off. */
	readonly status: number;
	readonly body: string;
}

/** A resume address without n8n: serves one page, judges answers against its schema, keeps what was posted. */
export interface PagePeer {
	readonly address: string;
	model: PageModel;
	/** What a GET for JSON is answered with. */
	waiting: unknown;
	/** Replies to be given before answers are judged. */
	readonly replies: PageReply[];
	readonly posted: string[];
	/** The headers of the last POST. */
	headers: IncomingMessage['headers'];
	/** How many pages were given out, and to which addresses. */
	readonly gets: string[];
	readonly reset: () => void;
	readonly close: () => Promise<void>;
}

const NOTHING: PageModel = {
	kind: 'problem',
	title: 'Nothing waits here',
	message: 'It was answered already.',
};

export async function startPagePeer(): Promise<PagePeer> {
	const { code } = await bundlePageClient(projectRoot);
	const server = createServer((request, response) => {
		if (request.method === 'GET') giveOut(request, response);
		else take(request, response);
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	const peer: PagePeer = {
		address: `http://127.0.0.1:${String(port)}/webhook-waiting/1?signature=abc`,
		model: NOTHING,
		waiting: { status: 'waiting', items: [] },
		replies: [],
		posted: [],
		headers: {},
		gets: [],
		reset: () => {
			peer.replies.length = peer.posted.length = peer.gets.length = 0;
			peer.model = NOTHING;
		},
		close: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};

	function giveOut(request: IncomingMessage, response: ServerResponse): void {
		if (request.headers.accept === 'application/json') {
			response.writeHead(200, { 'Content-Type': 'application/json' });
			response.end(JSON.stringify(peer.waiting));
			return;
		}
		peer.gets.push(request.url ?? '');
		const nonce = randomBytes(16).toString('base64');
		response.writeHead(200, pageHeaders(nonce));
		response.end(renderPage(peer.model, { nonce, script: code }));
	}

	function take(request: IncomingMessage, response: ServerResponse): void {
		const chunks: Buffer[] = [];
		request.on('data', (chunk: Buffer) => chunks.push(chunk));
		request.on('end', () => {
			const body = Buffer.concat(chunks).toString();
			peer.posted.push(body);
			peer.headers = request.headers;
			const reply = peer.replies.shift() ?? judge(peer.model, body);
			if (reply.status === 0) response.destroy();
			else response.writeHead(reply.status, { 'Content-Type': 'application/json' }).end(reply.body);
		});
	}
	return peer;
}

function judge(model: PageModel, body: string): PageReply {
	if (model.kind !== 'person' && model.kind !== 'signal') return { status: 404, body: '{}' };
	const compiled = compileSchema(model.schema);
	const issues = compiled.kind === 'compiled' ? compiled.check(JSON.parse(body)) : [];
	return issues.length > 0
		? { status: 422, body: JSON.stringify({ status: 'rejected', issues }) }
		: { status: 200, body: JSON.stringify({ status: 'resumed' }) };
}

/** A page that asks a person for an answer to this schema. */
export const asking = (schema: unknown, more: Partial<AnswerModel> = {}): AnswerModel => ({
	kind: 'person',
	reason: 'Pay EUR 1,480.50 to Northwind Traders for invoice INV-2026-0117?',
	tool: 'request_payment',
	serverName: 'Demo server',
	workflowName: 'Approve a payment',
	parkedAt: '2026-11-03T09:12:00.000Z',
	schema,
	...more,
});
