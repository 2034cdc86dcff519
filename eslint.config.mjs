import js from '@eslint/js';
import { n8nCommunityNodesPlugin } from '@n8n/eslint-plugin-community-nodes';
import { defineConfig, globalIgnores } from 'eslint/config';
import { createNodeResolver, importX } from 'eslint-plugin-import-x';
import tseslint from 'typescript-eslint';

/**
 * The layers, from the top. A folder imports from the layers below it and from itself, never from
 * a neighbour. test/unit/importDirections.test.ts reads the imports again on its own.
 */
const LAYERS = [
	['nodes', 'credentials'],
	['src/n8n', 'src/mcp', 'src/ledger', 'src/page'],
	['src/schema'],
	['src/call'],
	['src/park', 'src/policy'],
	['src/outcome'],
	['src/json'],
];
const PURE = LAYERS.slice(3).flat();
/** What runs in the reader's browser: src/page alone knows it, and it knows plain JSON alone. */
const BROWSER = 'src/page/client';

/** The packages that a folder may import; a folder that is not named here may import none. */
const PACKAGES = {
	nodes: ['n8n-workflow', 'node'],
	credentials: ['n8n-workflow'],
	'src/n8n': ['n8n-workflow', 'node'],
	'src/mcp': ['@modelcontextprotocol/sdk', 'cross-spawn', 'undici', 'zod', 'node'],
	'src/ledger': ['pg', 'node'],
	'src/page': ['node'],
	'src/schema': ['ajv', 'ajv-draft-04', 'ajv-formats', 're2js', 'node'],
	'src/park': ['date-fns'],
	[BROWSER]: ['preact', '@rjsf/core', '@rjsf/utils'],
};

const NO_ENUM = {
	selector: 'TSEnumDeclaration',
	message: 'Use a union of literals instead of an enum.',
};
const NO_WAIT = {
	selector: ':matches(Identifier[name="putExecutionToWait"], Literal[value="putExecutionToWait"])',
	message: 'Only src/n8n/parking.ts makes an execution wait (I3).',
};
/** I10: no clock, no randomness, no timers, no process. */
const IMPURE_SYNTAX = [
	{
		selector: 'NewExpression[callee.name="Date"][arguments.length=0]',
		message: 'Take the instant as an argument (I10).',
	},
	{
		selector: 'CallExpression[callee.name="Date"]',
		message: 'Take the instant as an argument (I10).',
	},
];
const IMPURE_PROPERTIES = [
	['Date', 'now'],
	['Math', 'random'],
].map(([object, property]) => ({
	object,
	property,
	message: 'Take the value as an argument (I10).',
}));
const IMPURE_GLOBALS = [
	'process',
	'performance',
	'setTimeout',
	'setInterval',
	'setImmediate',
	'queueMicrotask',
	'fetch',
	'crypto',
	'console',
	'require',
	'globalThis',
].map((name) => ({ name, message: 'A pure folder reads nothing from outside (I10).' }));
/** Functions of date-fns that read the clock. */
const CLOCK_READERS =
	'^(is(Past|Future|Today|Tomorrow|Yesterday|This.*)|.*(Today|Tomorrow|Yesterday)|.*ToNow(Strict)?|constructNow)$';

/** @param {readonly string[]} packages */
function packagesOnly(packages) {
	const names = packages.map((name) => (name === 'node' ? 'node:' : `${name}(?:/|$)`));
	return {
		regex: `^(?!\\.{1,2}/)${names.length > 0 ? `(?!${names.join('|')})` : ''}`,
		message: 'This folder may not import this package (CONTRIBUTING.md, Directions).',
	};
}

const layers = [
	...LAYERS.flatMap((folders, rank) =>
		folders.map((folder) => directionsOf(folder, LAYERS.slice(rank + 1).flat())),
	),
	directionsOf(BROWSER, ['src/json']),
];

/**
 * @param {string} folder
 * @param {readonly string[]} below the folders that it may import from
 */
function directionsOf(folder, below) {
	const packages = PACKAGES[folder] ?? [];
	const allowed = [folder, ...below, 'node_modules'];
	const patterns = [packagesOnly(packages)];
	if (packages.includes('date-fns')) {
		patterns.push({
			regex: '^date-fns$',
			importNamePattern: CLOCK_READERS,
			message: 'This function reads the clock (I10).',
		});
	}
	const zone = {
		target: `./${folder}`,
		from: '.',
		except: allowed.map((path) => `./${path}`),
		message: 'Imports go down the layers only (CONTRIBUTING.md, Directions).',
	};
	return {
		files: [`${folder}/**/*.{ts,tsx}`],
		rules: {
			'no-restricted-imports': ['error', { patterns }],
			'import-x/no-restricted-paths': ['error', { basePath: import.meta.dirname, zones: [zone] }],
		},
	};
}

export default defineConfig(
	globalIgnores(['dist*/', '.n8n*/', '.cache/', 'coverage/', 'test-results/']),
	{ linterOptions: { reportUnusedDisableDirectives: 'error' } },
	{
		files: ['**/*.{mjs,js}'],
		extends: [js.configs.recommended],
		languageOptions: {
			globals: Object.fromEntries(
				[
					'AbortController',
					'AbortSignal',
					'Buffer',
					'clearInterval',
					'clearTimeout',
					'console',
					'fetch',
					'process',
					'setInterval',
					'setTimeout',
					'structuredClone',
					'TextDecoder',
					'TextEncoder',
					'URL',
					'URLSearchParams',
				].map((name) => [name, 'readonly']),
			),
		},
	},
	{
		files: ['.prettierrc.js'],
		languageOptions: { sourceType: 'commonjs' },
	},
	{
		files: ['**/*.{ts,tsx}'],
		extends: [
			js.configs.recommended,
			tseslint.configs.strictTypeChecked,
			tseslint.configs.stylisticTypeChecked,
		],
		plugins: { 'import-x': importX },
		settings: {
			'import-x/resolver-next': [
				createNodeResolver({ extensions: ['.ts', '.tsx', '.js', '.json'] }),
			],
		},
		languageOptions: {
			parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
		},
		rules: {
			'@typescript-eslint/consistent-type-imports': 'error',
			'@typescript-eslint/no-unsafe-type-assertion': 'error',
			'@typescript-eslint/switch-exhaustiveness-check': [
				'error',
				{ considerDefaultExhaustiveForUnions: true },
			],
			// Brackets mark a key that the type does not know.
			'@typescript-eslint/dot-notation': ['error', { allowIndexSignaturePropertyAccess: true }],
			'@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
			'@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
			'@typescript-eslint/no-unused-vars': [
				'error',
				// Leaving a key out of a copy, and a parameter that only holds a place.
				{ ignoreRestSiblings: true, argsIgnorePattern: '^_' },
			],
			'no-restricted-syntax': ['error', NO_ENUM],
			eqeqeq: 'error',
			// Off: which of `interface` and `type` reads better depends on the neighbours.
			'@typescript-eslint/consistent-type-definitions': 'off',
		},
	},
	{
		files: ['src/**/*.{ts,tsx}', 'nodes/**/*.ts', 'credentials/**/*.ts'],
		ignores: ['src/n8n/parking.ts'],
		rules: { 'no-restricted-syntax': ['error', NO_ENUM, NO_WAIT] },
	},
	{
		files: PURE.map((folder) => `${folder}/**/*.ts`),
		rules: {
			'no-restricted-syntax': ['error', NO_ENUM, NO_WAIT, ...IMPURE_SYNTAX],
			'no-restricted-properties': ['error', ...IMPURE_PROPERTIES],
			'no-restricted-globals': ['error', ...IMPURE_GLOBALS],
		},
	},
	...layers,
	{
		files: ['test/**/*.ts', 'scripts/**/*.ts'],
		rules: {
			// Off: what these read is of their own making, and a wrong shape fails the run.
			'@typescript-eslint/no-unsafe-type-assertion': 'off',
		},
	},
	{
		files: ['test/**/*.ts'],
		rules: {
			// Off: vitest's asymmetric matchers (expect.any and its like) are typed any.
			'@typescript-eslint/no-unsafe-assignment': 'off',
		},
	},
	{
		files: ['nodes/**/*.ts', 'credentials/**/*.ts'],
		extends: [n8nCommunityNodesPlugin.configs.recommendedWithoutN8nCloudSupport],
		rules: {
			// Off: made for triggers; n8n itself registers the restart webhooks of a waiting node.
			'@n8n/community-nodes/webhook-lifecycle-complete': 'off',
		},
	},
	{
		files: ['package.json'],
		extends: [n8nCommunityNodesPlugin.configs.recommendedWithoutN8nCloudSupport],
		languageOptions: {
			parser: tseslint.parser,
			parserOptions: { extraFileExtensions: ['.json'] },
		},
	},
);
