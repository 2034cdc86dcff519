import { Dispatcher, fetch } from 'undici';
import { expect, test } from 'vitest';

import { isBlockedPort } from '../../src/mcp/blockedPorts';

/** Stands where sockets would be: what is asked of it was not blocked. */
class Reached extends Dispatcher {
	readonly ports = new Set<number>();

	override dispatch({ origin }: Dispatcher.DispatchOptions): boolean {
		this.ports.add(Number(new URL(String(origin)).port));
		throw new Error('far enough');
	}
}

test('the ports that are refused are the ones to which the HTTP client connects nobody', async () => {
	const dispatcher = new Reached();
	const ports = Array.from({ length: 12_000 }, (_, index) => index + 1).filter(
		(port) => port !== 80,
	);
	for (const port of ports)
		await fetch(`http://127.0.0.1:${String(port)}/`, { dispatcher }).catch(() => undefined);
	const blocked = ports.filter((port) => !dispatcher.ports.has(port));
	expect(blocked).not.toEqual([]);
	expect(
		ports.filter((port) => isBlockedPort(new URL(`http://127.0.0.1:${String(port)}/`))),
	).toEqual(blocked);
});
