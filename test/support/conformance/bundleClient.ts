import path from 'node:path';
import { build } from 'esbuild';

/** Makes a program of client.ts in a folder, as Node.js alone cannot load the sources; gives the command that runs it. */
export async function bundleClient(folder: string): Promise<string> {
	const outfile = path.join(folder, 'client.mjs');
	await build({
		entryPoints: [path.join(import.meta.dirname, 'client.ts')],
		outfile,
		bundle: true,
		platform: 'node',
		format: 'esm',
		// Some dependencies are CommonJS and ask for Node's modules by `require`.
		banner: {
			js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
		},
		logLevel: 'error',
	});
	return `"${process.execPath}" "${outfile}"`;
}
