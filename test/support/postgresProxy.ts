import { createServer, connect, type AddressInfo, type Socket } from 'node:net';

/** A road to a Postgres that a test can cut and mend. */
export interface PostgresProxy {
	readonly port: number;
	/** Ends every connection, and refuses new ones until `mend`. */
	readonly cut: () => void;
	readonly mend: () => void;
	/** Accepts connections and keeps those there are, but passes nothing on any more, until `mend`. */
	readonly fallSilent: () => void;
	/** Cuts as soon as the database got the COMMIT of an answer or a claim, before the reply to it comes back. */
	readonly cutAfterCommit: () => void;
	readonly close: () => Promise<void>;
}

/** Starts a proxy to the Postgres on this machine, at a free port. */
export async function postgresProxy(): Promise<PostgresProxy> {
	const open = new Set<Socket>();
	let state: 'whole' | 'cut' | 'silent' | 'cut-after-commit' = 'whole';

	const cut = (): void => {
		state = 'cut';
		for (const socket of open) socket.destroy();
	};
	const server = createServer((client) => {
		if (state === 'cut') {
			client.destroy();
			return;
		}
		const database = connect(5432, '127.0.0.1');
		for (const socket of [client, database]) {
			open.add(socket);
			socket.on('error', () => socket.destroy());
			socket.once('close', () => {
				open.delete(socket);
				client.destroy();
				database.destroy();
			});
		}
		let records = false;
		let committed = false;
		client.on('data', (chunk) => {
			// Not another transaction's, such as that of the purge in the background.
			records ||= chunk.includes('SET answer = $1') || chunk.includes('salvor_claim');
			committed = state === 'cut-after-commit' && records && chunk.includes('COMMIT\0');
			if (chunk.includes('COMMIT\0')) records = false;
			if (state !== 'silent') database.write(chunk);
		});
		database.on('data', (chunk) => {
			if (committed) cut();
			else if (state !== 'silent') client.write(chunk);
		});
	});
	const listening = Promise.withResolvers<undefined>();
	server.listen(0, '127.0.0.1', () => listening.resolve(undefined));
	await listening.promise;

	return {
		port: (server.address() as AddressInfo).port,
		cut,
		fallSilent: () => (state = 'silent'),
		mend: () => (state = 'whole'),
		cutAfterCommit: () => (state = 'cut-after-commit'),
		close: () => {
			cut();
			const { promise, resolve } = Promise.withResolvers<undefined>();
			server.close(() => resolve(undefined));
			return promise;
		},
	};
}
