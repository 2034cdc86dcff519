import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { connect, type AddressInfo, type Socket } from 'node:net';

/** A proxy that tunnels by CONNECT. */
export interface Tunnel {
	readonly url: string;
	readonly port: number;
	/** What it was asked to reach, as `host:port`, and the headers of the asking. */
	readonly asked: readonly { readonly target: string; readonly headers: IncomingHttpHeaders }[];
	/** May be called twice. */
	stop(): Promise<void>;
}

/** What it does when it is asked for a tunnel; a number is the status of a refusal. */
export type TunnelAnswer = 'tunnel' | 'hang-up' | number;

/** Starts it on a free port of 127.0.0.1, itself behind TLS where a certificate is given. */
export async function startTunnel(
	answers: (headers: IncomingHttpHeaders) => TunnelAnswer = () => 'tunnel',
	tls?: { readonly cert: string; readonly key: string },
): Promise<Tunnel> {
	const asked: { target: string; headers: IncomingHttpHeaders }[] = [];
	const sockets = new Set<Socket>();
	const server = tls === undefined ? createServer() : createTlsServer(tls);
	server.on('connect', (request, near: Socket) => {
		const target = request.url ?? '';
		asked.push({ target, headers: request.headers });
		sockets.add(near);
		near.on('error', () => near.destroy());
		const answer = answers(request.headers);
		if (answer !== 'tunnel') {
			near.end(answer === 'hang-up' ? '' : `HTTP/1.1 ${String(answer)} No\r\n\r\n`);
			return;
		}
		const { hostname, port } = new URL(`http://${target}`);
		const far = connect(Number(port), hostname, () => {
			near.write('HTTP/1.1 200 OK\r\n\r\n');
			far.pipe(near).pipe(far);
		});
		far.on('error', () => near.destroy());
		near.on('close', () => far.destroy());
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	return {
		url: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${String(port)}`,
		port,
		asked,
		async stop() {
			if (!server.listening) return;
			for (const socket of sockets) socket.destroy();
			server.close();
			server.closeAllConnections();
			await once(server, 'close');
		},
	};
}
