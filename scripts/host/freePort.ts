import { createServer } from 'node:net';

/**
 * A TCP port of 127.0.0.1 that is free now: the first free one of `preferred` to `preferred + 19`,
 * or, without a preference, one that the system picks.
 */
export async function freePort(preferred?: number): Promise<number> {
	if (preferred === undefined) return await bind(0);
	for (let port = preferred; port < preferred + 20; port++) {
		try {
			return await bind(port);
		} catch {
			// taken: the next one
		}
	}
	throw new Error(`No free port between ${String(preferred)} and ${String(preferred + 19)}.`);
}

async function bind(port: number): Promise<number> {
	return await new Promise((resolve, reject) => {
		const server = createServer();
		server.once('error', reject);
		server.listen(port, '127.0.0.1', () => {
			const address = server.address();
			server.close(() => {
				if (typeof address === 'object' && address !== null) resolve(address.port);
				else reject(new Error('The system gave no port.'));
			});
		});
	});
}
