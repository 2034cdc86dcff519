import { asArray, asJson, text } from '../scripts/host/json.ts';

/** The environment that opens a Node.js process's inspector on a port of the loopback interface. */
export const withInspector = (port: number): NodeJS.ProcessEnv => ({
	NODE_OPTIONS: `--inspect=127.0.0.1:${String(port)}`,
});

/** How much of the JavaScript heap is in use in the process behind the inspector, once its garbage is collected. */
export async function usedHeapMiB(port: number): Promise<number> {
	const targets: unknown = await (await fetch(`http://127.0.0.1:${String(port)}/json`)).json();
	const [target] = asArray(targets, 'The targets');
	const socket = new WebSocket(text(asJson(target, 'The target'), 'webSocketDebuggerUrl'));
	try {
		await new Promise((resolve, reject) => {
			socket.addEventListener('open', resolve);
			socket.addEventListener('error', reject);
		});
		// What finalizers let go of is collected by the second round.
		await ask(socket, 'HeapProfiler.collectGarbage');
		await ask(socket, 'HeapProfiler.collectGarbage');
		const { result } = await ask(socket, 'Runtime.getHeapUsage');
		return Math.round(Number(asJson(result, 'The usage').usedSize) / 1024 ** 2);
	} finally {
		socket.close();
	}
}

async function ask(socket: WebSocket, method: string) {
	const answered = new Promise<string>((resolve) => {
		const take = ({ data }: { readonly data: unknown }) => resolve(String(data));
		socket.addEventListener('message', take, { once: true });
	});
	socket.send(JSON.stringify({ id: 1, method }));
	return asJson(JSON.parse(await answered), 'The answer');
}
