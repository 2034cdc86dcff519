import { globSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

/** From the top; an import goes to a lower layer or stays in its folder. */
const LAYERS = [
	['nodes', 'credentials'],
	['src/n8n', 'src/mcp', 'src/ledger', 'src/page'],
	['src/schema'],
	['src/call'],
	['src/park', 'src/policy'],
	['src/outcome'],
	['src/json'],
];

/** What runs in the reader's browser: src/page alone knows it, and it knows plain JSON alone. */
const BROWSER = 'src/page/client';

const PURE = ['src/call', 'src/park', 'src/policy', 'src/outcome', 'src/json'];

const OUTSIDE_OF_PURE_FOLDERS: Readonly<Record<string, readonly string[]>> = {
	'n8n-workflow': ['nodes', 'credentials', 'src/n8n'],
	'@modelcontextprotocol/sdk': ['src/mcp'],
	'cross-spawn': ['src/mcp'],
	undici: ['src/mcp'],
	zod: ['src/mcp'],
	ajv: ['src/schema'],
	'ajv-draft-04': ['src/schema'],
	'ajv-formats': ['src/schema'],
	re2js: ['src/schema'],
	'date-fns': ['src/park'],
	pg: ['src/ledger'],
	preact: [BROWSER],
	'@rjsf/core': [BROWSER],
	'@rjsf/utils': [BROWSER],
	'node:*': ['nodes', 'src/n8n', 'src/mcp', 'src/ledger', 'src/page', 'src/schema'],
};

const IMPURE_NAMES = [
	'process',
	'performance',
	'setTimeout',
	'setInterval',
	'setImmediate',
	'queueMicrotask',
	'globalThis',
	'fetch',
	'crypto',
	'console',
];

const root = join(import.meta.dirname, '../..');
const files = globSync('{src,nodes,credentials}/**/*.{ts,tsx}', { cwd: root }).map((path) =>
	path.replaceAll('\\', '/'),
);

describe('directions (I3, I10)', () => {
	it('every import goes down the layers, to a package that its folder may use', () => {
		expect(files.length).toBeGreaterThan(0);
		expect(files.flatMap((file) => wrongImports(file, read(file)))).toEqual([]);
	});

	it('a pure folder reads no clock, randomness, timer or process', () => {
		expect(files.flatMap((file) => impurities(file, read(file)))).toEqual([]);
	});

	it('only src/n8n/parking.ts names putExecutionToWait', () => {
		const others = files.filter((file) => file !== 'src/n8n/parking.ts');
		expect(others.filter((file) => namesParking(read(file)))).toEqual([]);
	});
});

describe('the reader of imports', () => {
	it('names the file and the import, however it is written', () => {
		const text = [
			"import { open } from '../mcp/open';",
			"import type { INode } from 'n8n-workflow';",
			"export * from '../call/session';",
			"export { Tool } from '../../nodes/McpToolCall/McpToolCall.node';",
			"type Session = import('../n8n/items').Session;",
			"const fs = await import('node:fs');",
			"const ajv = require('ajv/dist/2020');",
			"import { parseISO } from 'date-fns';",
			"import { ok } from '../outcome/failure';",
			"import { sibling } from './sibling';",
			"// import { remark } from '../page/remark';",
		].join('\n');
		expect(wrongImports('src/park/sample.ts', text)).toEqual([
			'src/park/sample.ts imports src/mcp/open',
			'src/park/sample.ts imports n8n-workflow',
			'src/park/sample.ts imports src/call/session',
			'src/park/sample.ts imports nodes/McpToolCall/McpToolCall.node',
			'src/park/sample.ts imports src/n8n/items',
			'src/park/sample.ts imports node:fs',
			'src/park/sample.ts imports ajv/dist/2020',
		]);
	});

	it.each([
		['src/mcp/a.ts', '../n8n/b'],
		['src/n8n/a.ts', '../mcp/b'],
		['src/n8n/a.ts', 'undici'],
		['src/n8n/a.ts', '../ledger/b'],
		['src/ledger/a.ts', '../page/b'],
		['src/mcp/a.ts', 'pg'],
		['src/schema/a.ts', '../page/b'],
		['src/page/a.ts', '../../credentials/b'],
		['src/elsewhere/a.ts', '../json/b'],
		['src/page/client/a.tsx', '../renderPage'],
		['src/page/client/a.tsx', '../../schema/checkSchema'],
		['src/page/client/a.tsx', 'node:crypto'],
		['src/page/a.ts', '@rjsf/core'],
		['nodes/A/a.ts', '../../src/page/client/main'],
		['nodes/A/a.ts', '@modelcontextprotocol/sdk/client/index.js'],
		['nodes/A/a.ts', '../../test/support/b'],
		['src/policy/a.ts', 'unheard-of'],
	])('%s may not import %s', (file, specifier) => {
		expect(wrongImports(file, `import '${specifier}';`)).toHaveLength(1);
	});

	it.each([
		'const at = Date.now();',
		'const at = new Date();',
		'const at = new Date;',
		'const n = Math.random();',
		'const home = process.env;',
		'setTimeout(wake, 5);',
	])('"%s" is impure in a pure folder and allowed elsewhere', (line) => {
		expect(impurities('src/call/sample.ts', line)).toHaveLength(1);
		expect(impurities('src/mcp/sample.ts', line)).toEqual([]);
	});

	it('a date made of a value, a comment, a text and a property are pure', () => {
		const text = [
			'const at = new Date(value); // new Date()',
			"const text = 'the process ended';",
			'const child = { process: text };',
			'interface Child { readonly process: string }',
			'child.process;',
		].join('\n');
		expect(impurities('src/park/sample.ts', text)).toEqual([]);
	});

	it.each(['this.putExecutionToWait(at)', "this['putExecutionToWait'](at)"])(
		'"%s" counts as parking, a comment does not',
		(line) => {
			expect(namesParking(line)).toBe(true);
			expect(namesParking(`// ${line}`)).toBe(false);
		},
	);
});

function read(file: string): string {
	return readFileSync(join(root, file), 'utf8');
}

function wrongImports(file: string, text: string): string[] {
	return importsOf(text)
		.map((name) => (name.startsWith('.') ? posix.join(posix.dirname(file), name) : name))
		.filter((name) => !mayImport(file, name))
		.map((name) => `${file} imports ${name}`);
}

function mayImport(file: string, name: string): boolean {
	const importer = folderOf(file);
	const target = folderOf(name);
	const rank = rankOf(importer);
	if (target === BROWSER) return importer === BROWSER || importer === 'src/page';
	if (importer === BROWSER && target === 'src/json') return true;
	if (rank === -1 && importer !== BROWSER) return false;
	if (rankOf(target) !== -1) {
		return importer !== BROWSER && (target === importer || rankOf(target) > rank);
	}
	const packageName = name.startsWith('node:')
		? 'node:*'
		: (/^(@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? name);
	return OUTSIDE_OF_PURE_FOLDERS[packageName]?.includes(importer) ?? false;
}

function folderOf(path: string): string {
	if (path.startsWith(`${BROWSER}/`)) return BROWSER;
	const parts = path.split('/');
	return parts.slice(0, parts[0] === 'src' ? 2 : 1).join('/');
}

function rankOf(folder: string): number {
	return LAYERS.findIndex((layer) => layer.includes(folder));
}

/** Every module that a text imports: by import, export, `import()` as value and as type, and `require`. */
function importsOf(text: string): string[] {
	return nodesOf(text).flatMap((node) => {
		const specifier = specifierOf(node);
		return specifier && ts.isStringLiteralLike(specifier) ? [specifier.text] : [];
	});
}

function specifierOf(node: ts.Node): ts.Node | undefined {
	if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return node.moduleSpecifier;
	if (ts.isExternalModuleReference(node)) return node.expression;
	if (ts.isImportTypeNode(node)) {
		return ts.isLiteralTypeNode(node.argument) ? node.argument.literal : undefined;
	}
	if (!ts.isCallExpression(node)) return undefined;
	const { expression } = node;
	const loads =
		expression.kind === ts.SyntaxKind.ImportKeyword ||
		(ts.isIdentifier(expression) && expression.text === 'require');
	return loads ? node.arguments[0] : undefined;
}

function impurities(file: string, text: string): string[] {
	if (!PURE.includes(folderOf(file))) return [];
	return nodesOf(text)
		.filter(isImpure)
		.map((node) => `${file} uses ${node.getText()}`);
}

function isImpure(node: ts.Node): boolean {
	if (ts.isPropertyAccessExpression(node)) {
		return ['Date.now', 'Math.random'].includes(node.getText());
	}
	if (ts.isNewExpression(node)) return isDate(node.expression) && !node.arguments?.length;
	if (ts.isCallExpression(node)) return isDate(node.expression);
	return ts.isIdentifier(node) && IMPURE_NAMES.includes(node.text) && !isMemberName(node);
}

function isDate(node: ts.Node): boolean {
	return ts.isIdentifier(node) && node.text === 'Date';
}

function isMemberName(node: ts.Identifier): boolean {
	const { parent } = node;
	return (
		(ts.isPropertyAccessExpression(parent) ||
			ts.isPropertyAssignment(parent) ||
			ts.isTypeElement(parent) ||
			ts.isClassElement(parent)) &&
		parent.name === node
	);
}

function namesParking(text: string): boolean {
	return nodesOf(text).some(
		(node) =>
			(ts.isIdentifier(node) || ts.isStringLiteralLike(node)) && node.text === 'putExecutionToWait',
	);
}

function nodesOf(text: string): ts.Node[] {
	const found: ts.Node[] = [];
	const visit = (node: ts.Node): void => {
		found.push(node);
		ts.forEachChild(node, visit);
	};
	visit(ts.createSourceFile('sample.ts', text, ts.ScriptTarget.Latest, true));
	return found;
}
