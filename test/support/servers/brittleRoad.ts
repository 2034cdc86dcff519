import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** What becomes of a connection. */
export type RoadState =
	/** Leads to the server and back. */
	| 'open'
	/** Accepted and closed at once, before anything is read. */
	| 'closes'
	/** Accepted and reset at once. */
	| 'resets'
	/** Accepted, and nothing is ever read or said. */
	| 'silent'
	/** Reads the first bytes, then resets. */
	| 'cuts-after-first-bytes';

export interface BrittleRoad {
	readonly port: number;
	/** Ends every connection and treats those to come as told. */
	become(state: RoadState): void;
	/** Connections since the last change. */
	readonly connections: () => number;
	stop(): Promise<void>;
}

/** A TCP way to a server on 127.0.0.1, under the test's control below whatever protocol passes. */
export async function startBrittleRoad(targetPort: number): Promise<BrittleRoad> {
	let state: RoadState = 'open';
	let connections = 0;
	const sockets = new Set<Socket>();
	const keep = (socket: Socket): void => {
		sockets.add(socket);
		socket.on('error', () => undefined);
		socket.once('close', () => sockets.delete(socket));
	};
	const road = createServer({ pauseOnConnect: true }, (near) => {
		connections += 1;
		keep(near);
		switch (state) {
			case 'open': {
				const far = connect(targetPort, '127.0.0.1');
				keep(far);
				near.once('close', () => far.destroy());
				far.once('close', () => near.destroy());
				near.pipe(far).pipe(near);
				return;
			}
			case 'closes':
				near.destroy();
				return;
			case 'resets':
				near.resetAndDestroy();
				return;
			case 'silent':
				return;
			case 'cuts-after-first-bytes':
				near.once('data', () => near.resetAndDestroy());
				near.resume();
		}
	});
	road.listen(0, '127.0.0.1');
	await once(road, 'listening');
	return {
		port: (road.address() as AddressInfo).port,
		become(next) {
			state = next;
			connections = 0;
			for (const socket of sockets) socket.destroy();
		},
		connections: () => connections,
		async stop() {
			road.close();
			for (const socket of sockets) socket.destroy();
			await once(road, 'close');
		},
	};
}
