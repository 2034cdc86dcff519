import type { Reply } from './reply';

const SEND_LIMIT_MS = 60_000;

/** Sends an answer to the page's own address, for the park that the page showed. Never rejects. */
export async function postAnswer(answer: unknown, parkedAt: string): Promise<Reply> {
	return await request({
		method: 'POST',
		headers: {
			'Content-Type': 'application/json',
			Accept: 'application/json',
			'X-Salvor-Parked-At': parkedAt,
		},
		body: JSON.stringify(answer),
	});
}

/** The items that wait at the page's address; changes nothing. */
export async function getWaiting(): Promise<Reply> {
	return await request({ headers: { Accept: 'application/json' } });
}

async function request(options: RequestInit): Promise<Reply> {
	try {
		const response = await fetch(location.href, {
			...options,
			cache: 'no-store',
			signal: AbortSignal.timeout(SEND_LIMIT_MS),
		});
		return { status: response.status, body: readBody(await response.text()) };
	} catch {
		return { status: 0, body: {} };
	}
}

function readBody(text: string): Reply['body'] {
	try {
		const body: unknown = JSON.parse(text);
		return typeof body === 'object' && body !== null ? { ...body } : {};
	} catch {
		return {};
	}
}
