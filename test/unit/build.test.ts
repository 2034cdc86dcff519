import { execFileSync, spawnSync } from 'node:child_process';
import {
	cpSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	readdirSync,
	rmSync,
	symlinkSync,
	utimesSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

/** A tiny package with the real build script and one bundled dependency. */
const root = join(import.meta.dirname, '../..');
let home: string;

beforeEach(() => {
	home = mkdtempSync(join(tmpdir(), 'salvor-build-'));
	cpSync(join(root, 'scripts/build.mjs'), join(home, 'scripts/build.mjs'));
	cpSync(join(root, 'scripts/lib'), join(home, 'scripts/lib'), { recursive: true });
	mkdirSync(join(home, 'node_modules'));
	symlinkSync(join(root, 'node_modules/esbuild'), join(home, 'node_modules/esbuild'));
	write(
		'package.json',
		JSON.stringify({ n8n: { nodes: ['dist/nodes/A/A.node.js'], credentials: [] } }),
	);
	write('nodes/A/A.node.ts', "import { b } from 'b';\nexport class A { readonly b = b; }\n");
	write('node_modules/b/index.js', 'exports.b = 1;');
	describeB({ license: 'MIT' });
	write('node_modules/b/LICENSE', 'The licence of b.');
});

afterEach(() => rmSync(home, { recursive: true, force: true }));

describe('the build', () => {
	it('puts the notice of a bundled package beside the bundle', () => {
		expect(build()).toBe('');
		const notices = readFileSync(join(home, 'dist/THIRD_PARTY_LICENSES.txt'), 'utf8');
		expect(notices).toContain('b 1.2.3\nLicence: MIT\n');
		expect(notices).toContain('The licence of b.');
	});

	it('refuses a bundled package without a licence text', () => {
		rmSync(join(home, 'node_modules/b/LICENSE'));
		expect(build()).toContain('b 1.2.3: has no licence text.');
	});

	it('takes the licence text from the README of a package that keeps it there', () => {
		rmSync(join(home, 'node_modules/b/LICENSE'));
		write('node_modules/b/README.md', '# b\n\n## License\n\nMIT, Copyright (c) the makers of b\n');
		expect(build()).toBe('');
		const notices = readFileSync(join(home, 'dist/THIRD_PARTY_LICENSES.txt'), 'utf8');
		expect(notices).toContain('MIT, Copyright (c) the makers of b');
		expect(notices).not.toContain('# b');
	});

	it('takes no licence text from a README that only names the licence', () => {
		rmSync(join(home, 'node_modules/b/LICENSE'));
		write('node_modules/b/README.md', '# b\n\n## License\n\nMIT\n');
		expect(build()).toContain('b 1.2.3: has no licence text.');
	});

	it("leads pg's door to the compiled client back to its own", () => {
		write('node_modules/pg/package.json', JSON.stringify({ name: 'pg', license: 'MIT' }));
		write('node_modules/pg/LICENSE', 'The licence of pg.');
		write('node_modules/pg/lib/client.js', 'exports.own = true;');
		write('node_modules/pg/lib/native/index.js', "module.exports = require('pg-native');");
		write('node_modules/b/index.js', "exports.b = require('pg/lib/native/index.js').own;");
		expect(build()).toBe('');
	});

	it('refuses a bundled package without a licence id', () => {
		describeB({});
		expect(build()).toContain('b 1.2.3: names no licence in its package.json.');
	});

	it('refuses a bundled package under a licence that is not permissive', () => {
		describeB({ license: 'GPL-3.0-only' });
		expect(build()).toContain('b 1.2.3: licence "GPL-3.0-only" may not be bundled.');
	});

	it('refuses a require that esbuild cannot follow', () => {
		write('node_modules/b/index.js', 'exports.b = (name) => require(name);');
		expect(build()).toContain('esbuild gave 1 warning');
	});

	it('refuses an import that an installed package could not resolve', () => {
		write('node_modules/b/index.js', "try { exports.b = require('absent'); } catch {}");
		expect(build()).toContain('The bundle imports absent from outside.');
	});

	it('replaces dist whole, and leaves the old one in place when it fails', () => {
		expect(build()).toBe('');
		write('dist/left-over.node.js', '');
		expect(build()).toBe('');
		expect(existsSync(join(home, 'dist/left-over.node.js'))).toBe(false);

		write('nodes/A/A.node.ts', 'export class {');
		expect(build()).not.toBe('');
		expect(existsSync(join(home, 'dist/nodes/A/A.node.js'))).toBe(true);
		expect(readdirSync(home).filter((name) => name.startsWith('dist'))).toEqual(['dist']);
	});
});

describe('distIsStale', () => {
	beforeEach(() => {
		expect(build()).toBe('');
	});

	it('is false after a build', () => {
		expect(isStale()).toBe(false);
	});

	it('is true without a dist', () => {
		rmSync(join(home, 'dist'), { recursive: true });
		expect(isStale()).toBe(true);
	});

	it.each(['nodes/A/A.node.ts', 'package.json', 'scripts/build.mjs'])(
		'is true when %s is newer',
		(path) => {
			const later = new Date(Date.now() + 60_000);
			utimesSync(join(home, path), later, later);
			expect(isStale()).toBe(true);
		},
	);

	it('is true when a source file is gone', () => {
		write('nodes/A/extra.ts', '');
		expect(build()).toBe('');
		rmSync(join(home, 'nodes/A/extra.ts'));
		expect(isStale()).toBe(true);
	});
});

function write(path: string, text: string): void {
	mkdirSync(dirname(join(home, path)), { recursive: true });
	writeFileSync(join(home, path), text);
}

function describeB(licence: { license?: string }): void {
	write('node_modules/b/package.json', JSON.stringify({ name: 'b', version: '1.2.3', ...licence }));
}

/** Runs the build; gives what it complained about, nothing when it succeeded. */
function build(): string {
	const { status, stderr } = spawnSync(process.execPath, [join(home, 'scripts/build.mjs')], {
		encoding: 'utf8',
	});
	return status === 0 ? '' : stderr;
}

function isStale(): boolean {
	const module = pathToFileURL(join(home, 'scripts/lib/stale.mjs')).href;
	const script = `import(${JSON.stringify(module)}).then((m) => console.log(m.distIsStale(${JSON.stringify(home)})))`;
	return execFileSync(process.execPath, ['-e', script], { encoding: 'utf8' }).trim() === 'true';
}
