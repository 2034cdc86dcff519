import { execFileSync } from 'node:child_process';
import {
	existsSync,
	globSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import manifest from '../../package.json';

const root = join(import.meta.dirname, '../..');
const declared = [...manifest.n8n.nodes, ...manifest.n8n.credentials];

describe('package.json', () => {
	it('has no runtime dependencies and no peer but n8n-workflow', () => {
		expect(manifest).not.toHaveProperty('dependencies');
		expect(manifest).not.toHaveProperty('optionalDependencies');
		expect(manifest.peerDependencies).toEqual({ 'n8n-workflow': '*' });
	});

	it('declares every node and credential on disk, and no other', () => {
		expect(declared.toSorted()).toEqual(
			[
				...globSync('nodes/*/*.node.ts', { cwd: root }),
				...globSync('credentials/*.credentials.ts', { cwd: root }),
			]
				.map((path) => `dist/${path.replaceAll('\\', '/').replace(/\.ts$/, '.js')}`)
				.toSorted(),
		);
	});

	it('every node folder has its codex file', () => {
		const codices = manifest.n8n.nodes.map((path) =>
			path.replace(/^dist\//, '').replace(/\.js$/, '.json'),
		);
		expect(codices.filter((path) => !existsSync(join(root, path)))).toEqual([]);
	});
});

describe('the built package', () => {
	const home = mkdtempSync(join(tmpdir(), 'salvor-package-'));
	const dist = join(home, 'dist');

	beforeAll(() => {
		execFileSync(process.execPath, [join(root, 'scripts/build.mjs'), '--outdir', dist]);
		mkdirSync(join(home, 'node_modules'));
		symlinkSync(join(root, 'node_modules/n8n-workflow'), join(home, 'node_modules/n8n-workflow'));
	}, 60_000);

	afterAll(() => rmSync(home, { recursive: true, force: true }));

	it('loads each class by its own name with nothing but n8n-workflow beside it', () => {
		const script =
			'console.log(JSON.stringify(process.argv.slice(1).map((path) => Object.entries(require(path)).map(([name, { name: own }]) => [name, own]))))';
		const paths = declared.map((path) => join(home, path));
		const loaded: unknown = JSON.parse(
			execFileSync(process.execPath, ['-e', script, ...paths], { cwd: home, encoding: 'utf8' }),
		);
		expect(loaded).toEqual(
			declared.map((path) => {
				const name = basename(path).split('.')[0];
				return [[name, name]];
			}),
		);
	});

	it('holds no node or credential file but the declared ones, since n8n loads whatever it finds', () => {
		const found = globSync('dist/**/*.{node,credentials}.js', { cwd: home });
		expect(found.map((path) => path.replaceAll('\\', '/')).toSorted()).toEqual(declared.toSorted());
	});

	it('has the icons and codex files of the source tree in the same places', () => {
		const assets = '{nodes,credentials}/**/*.{svg,node.json}';
		expect(globSync(assets, { cwd: dist }).toSorted()).toEqual(
			globSync(assets, { cwd: root }).toSorted(),
		);
	});

	it('carries the page’s script whole, with its licences', () => {
		const bundle = readFileSync(join(dist, 'salvor.js'), 'utf8');
		expect(bundle).toMatch(/clientScript = ["'`](?:[^\n]{1000}){100}/);
		const notices = readFileSync(join(dist, 'THIRD_PARTY_LICENSES.txt'), 'utf8');
		expect(notices).toMatch(/^@rjsf\/core 6\..*\nLicence: Apache-2\.0$/m);
		expect(notices).not.toMatch(/^markdown-to-jsx /m);
	});

	it.each(['ajv', '@modelcontextprotocol/sdk', 'date-fns', 'undici', 'preact'])(
		'carries the licence of %s',
		(name) => {
			const notices = readFileSync(join(dist, 'THIRD_PARTY_LICENSES.txt'), 'utf8');
			const [, notice = ''] = notices.split(new RegExp(`^${name} \\d.*$`, 'm'));
			expect(notice).toMatch(/^\nLicence: MIT\n/);
			expect(notice).toContain('Permission is hereby granted');
		},
	);
});
