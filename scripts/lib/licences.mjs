import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

const ALLOWED = new Set([
	'MIT',
	'ISC',
	'BSD-2-Clause',
	'BSD-3-Clause',
	'Apache-2.0',
	'0BSD',
	'BlueOak-1.0.0',
]);
const LICENCE_FILE = /^(licen[cs]e|copying|notice)([.-].*)?$/i;
/** A package without such a file may keep the text in its README, under a heading of its own. */
const LICENCE_SECTION = /^#+ *licen[cs]e *\n(.*copyright.*)/ims;
const RULE = '='.repeat(78);

/**
 * The notices of every package that esbuild put into the bundle, as one text, sorted by name.
 * Throws for a package without a licence id or text, and for a licence that is not allowed.
 *
 * @param {string} root the folder that the metafile's paths start from
 * @param {readonly import('esbuild').Metafile[]} metafiles
 * @returns {Promise<string>}
 */
export async function thirdPartyLicences(root, metafiles) {
	const folders = new Set(
		metafiles.flatMap(({ inputs }) =>
			Object.keys(inputs).flatMap((path) => packageFolder(path) ?? []),
		),
	);
	const packages = await Promise.all([...folders].map((folder) => readPackage(root, folder)));
	packages.sort((a, b) => (a.title < b.title ? -1 : 1));
	return [
		'This package contains the following third-party software, bundled into salvor.js.\n',
		...packages.map(({ title, licence, home, texts }) =>
			[RULE, title, `Licence: ${licence}`, ...home, RULE, '', ...texts, ''].join('\n'),
		),
	].join('\n');
}

/** `a/node_modules/@x/y/z.js` lies in the package folder `a/node_modules/@x/y`. */
function packageFolder(path) {
	return /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path)?.[0];
}

async function readPackage(root, folder) {
	const manifest = JSON.parse(await readFile(join(root, folder, 'package.json'), 'utf8'));
	const title = `${manifest.name} ${manifest.version}`;
	if (!manifest.license) throw new Error(`${title}: names no licence in its package.json.`);
	if (!ALLOWED.has(manifest.license)) {
		throw new Error(`${title}: licence "${manifest.license}" may not be bundled.`);
	}
	const texts = await licenceTexts(join(root, folder));
	if (texts.length === 0) throw new Error(`${title}: has no licence text.`);
	if (texts.some((text) => text === '')) throw new Error(`${title}: its licence text is empty.`);
	const source = manifest.repository?.url ?? manifest.repository ?? manifest.homepage;
	return {
		title,
		licence: manifest.license,
		home: typeof source === 'string' ? [`Source: ${source}`] : [],
		texts,
	};
}

async function licenceTexts(folder) {
	const all = (await readdir(folder)).sort();
	const read = async (file) => (await readFile(join(folder, file), 'utf8')).trim();
	const files = all.filter((file) => LICENCE_FILE.test(file));
	if (files.length > 0) return Promise.all(files.map(read));
	const readme = all.find((file) => /^readme(\.|$)/i.test(file));
	const section = readme && LICENCE_SECTION.exec(await read(readme))?.[1];
	return section ? [section.trim()] : [];
}
