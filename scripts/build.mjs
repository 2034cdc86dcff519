// Builds dist/: one CommonJS bundle with thin entry files (docs/decisions/0001-bundle-into-one-file.md).
// `node scripts/build.mjs [--outdir <folder>]`

import { realpathSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { builtinModules } from 'node:module';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build as bundle } from 'esbuild';
import { thirdPartyLicences } from './lib/licences.mjs';
import { bundlePageClient } from './lib/pageClient.mjs';

const BUNDLE = 'salvor.js';
/** The host brings it; everything else is bundled. */
const EXTERNAL = ['n8n-workflow', 'n8n-workflow/package.json'];
/** pg's door to libpq, a compiled binding that is never there: it leads to pg's own client. */
const WITHOUT_LIBPQ = {
	name: 'without-libpq',
	setup: ({ onLoad }) =>
		onLoad({ filter: /[\\/]pg[\\/]lib[\\/]native[\\/]index\.js$/ }, () => ({
			contents: "module.exports = require('../client');",
		})),
};
/** Puts the bundle of src/page/client in the place of the module that stands for it. */
const withPageClient = (root, bundled) => ({
	name: 'with-page-client',
	setup: ({ onLoad }) =>
		onLoad({ filter: /[\\/]src[\\/]page[\\/]clientScript\.ts$/ }, async () => {
			const { code, metafile } = await bundlePageClient(root);
			bundled.push(metafile);
			return { contents: `export const clientScript = ${JSON.stringify(code)};` };
		}),
});
const COPIED_BESIDE_ENTRY = /\.(node\.json|svg|png)$/;

/**
 * Builds the package of `root` into `outdir` (`<root>/dist` unless given), whole or not at all:
 * the folder is put in place only when everything in it is written.
 * Throws on any esbuild warning, on an import that the package could not resolve where it is
 * installed, and on a bundled package whose licence is missing or not allowed.
 *
 * @param {{ root: string, outdir?: string }} options
 */
export async function build({ root, outdir = join(root, 'dist') }) {
	const startedAt = new Date();
	const entries = await entriesOf(root);
	const staging = `${outdir}.tmp-${String(process.pid)}`;
	const inBrowser = [];
	await rm(staging, { recursive: true, force: true });
	try {
		const { outputFiles, metafile, warnings } = await bundle({
			stdin: {
				contents: entries.map((e) => `export { ${e.name} } from './${e.source}';`).join('\n'),
				resolveDir: root,
				sourcefile: 'entry.ts',
				loader: 'ts',
			},
			absWorkingDir: root,
			outfile: BUNDLE,
			bundle: true,
			platform: 'node',
			target: 'node22',
			format: 'cjs',
			external: EXTERNAL,
			plugins: [WITHOUT_LIBPQ, withPageClient(root, inBrowser)],
			charset: 'utf8',
			metafile: true,
			write: false,
			logLevel: 'warning',
			// A `require` that esbuild cannot follow would fail on the user's machine, not here.
			logOverride: { 'unsupported-require-call': 'warning', 'indirect-require': 'warning' },
		});
		if (warnings.length > 0) throw new Error(`esbuild gave ${String(warnings.length)} warning(s).`);
		refuseUnresolvable(metafile);

		await mkdir(staging, { recursive: true });
		const [code] = outputFiles;
		await writeFile(join(staging, BUNDLE), code.contents);
		await writeFile(
			join(staging, 'THIRD_PARTY_LICENSES.txt'),
			await thirdPartyLicences(root, [metafile, ...inBrowser]),
		);
		for (const entry of entries) await writeEntry(root, staging, entry);
		// Sources changed while the build ran must count as newer than it (lib/stale.mjs).
		await utimes(join(staging, BUNDLE), startedAt, startedAt);
		await putInPlace(staging, outdir);
	} finally {
		await rm(staging, { recursive: true, force: true });
	}
}

/** What package.json declares to n8n, as `{ name, source, target }` with `target` relative to the output folder. */
async function entriesOf(root) {
	const manifest = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
	return [...manifest.n8n.nodes, ...manifest.n8n.credentials].map((declared) => {
		const match = /^dist\/(.+)\.js$/.exec(declared);
		if (!match) throw new Error(`package.json: n8n entry "${declared}" must be dist/<path>.js.`);
		return {
			name: basename(match[1]).split('.')[0],
			source: `${match[1]}.ts`,
			target: `${match[1]}.js`,
		};
	});
}

async function writeEntry(root, staging, { name, source, target }) {
	const folder = join(staging, dirname(target));
	await mkdir(folder, { recursive: true });
	const up = relative(folder, join(staging, BUNDLE)).split(sep).join('/');
	await writeFile(
		join(staging, target),
		`'use strict';\n\nexports.${name} = require('${up}').${name};\n`,
	);
	const sourceFolder = join(root, dirname(source));
	for (const file of await readdir(sourceFolder)) {
		if (COPIED_BESIDE_ENTRY.test(file)) await cp(join(sourceFolder, file), join(folder, file));
	}
}

function refuseUnresolvable(metafile) {
	const allowed = new Set([...EXTERNAL, ...builtinModules]);
	const left = metafile.outputs[BUNDLE].imports
		.map(({ path }) => path)
		.filter((path) => !path.startsWith('node:') && !allowed.has(path));
	if (left.length > 0) throw new Error(`The bundle imports ${left.join(', ')} from outside.`);
}

/** Swaps the finished folder in; two builds at once end with one of them whole. */
async function putInPlace(staging, outdir) {
	for (let attempt = 1; ; attempt++) {
		const old = `${outdir}.old-${String(process.pid)}`;
		try {
			await rename(outdir, old).catch(unless('ENOENT'));
			await rename(staging, outdir);
			return;
		} catch (error) {
			if (attempt === 5 || (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST')) throw error;
		} finally {
			await rm(old, { recursive: true, force: true });
		}
	}
}

function unless(code) {
	return (error) => {
		if (error.code !== code) throw error;
	};
}

if (realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
	const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
	const { values } = parseArgs({ options: { outdir: { type: 'string' } } });
	await build(values.outdir ? { root, outdir: resolve(values.outdir) } : { root });
}
