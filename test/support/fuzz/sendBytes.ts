import { connect } from 'node:net';

/** What a peer sends on one connection: bytes, of HTTP or not. */
export interface Sent {
	readonly bytes: readonly (string | Uint8Array)[];
	/** No reply may come, as the request is never whole or n8n does not reply to its like: the peer hangs up when it has waited this long. */
	readonly hangUpAfterMs?: number;
}

export interface Received {
	/** Zero when nothing came that looks like HTTP. */
	readonly status: number;
	/** Status line, headers and body, as they came. */
	readonly text: string;
	/** A whole request was sent, and nothing came in a long time. */
	readonly silent: boolean;
}

const LONGEST_WAIT_MS = 120_000;

/** Sends bytes on a connection of their own, and gives all that came back until it closed. Throws when nobody listens. */
export async function sendBytes(port: number, sent: Sent): Promise<Received> {
	return await new Promise((resolve, reject) => {
		const chunks: Buffer[] = [];
		const socket = connect(port, '127.0.0.1');
		let silent = false;
		const give = () => {
			socket.destroy();
			const text = Buffer.concat(chunks).toString('latin1');
			resolve({ status: Number(/^HTTP\/1\.[01] (\d{3})/.exec(text)?.[1] ?? 0), text, silent });
		};
		socket.on('data', (chunk: Buffer) => chunks.push(chunk));
		socket.once('close', give);
		socket.setTimeout(sent.hangUpAfterMs ?? LONGEST_WAIT_MS, () => {
			silent = sent.hangUpAfterMs === undefined;
			give();
		});
		// A server that has seen enough may cut the connection while there is more to send.
		socket.on('error', (error: NodeJS.ErrnoException) => {
			if (error.code === 'ECONNREFUSED') reject(error);
		});
		socket.once('connect', () => {
			for (const part of sent.bytes) socket.write(part);
		});
	});
}
