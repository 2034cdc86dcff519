import { build } from 'esbuild';

/** Modules of the form library that the page has no use for, by what imports them. */
const LEFT_OUT = {
	// It would come with a compiler of schemas, which needs eval; only a helper for tests imports it.
	'@rjsf/validator-ajv8': 'export default undefined;',
	// Texts of a server are shown as they are, never as Markdown.
	'markdown-to-jsx/react': 'export const Markdown = ({ children }) => children;',
	'markdown-to-jsx': 'export const Markdown = ({ children }) => children;',
};
const LIBRARY_PARTS = {
	name: 'library-parts',
	setup({ onResolve, onLoad }) {
		onResolve({ filter: /^(@rjsf\/validator-ajv8|markdown-to-jsx(\/react)?)$/ }, ({ path }) => ({
			path,
			namespace: 'left-out',
		}));
		onLoad({ filter: /./, namespace: 'left-out' }, ({ path }) => ({ contents: LEFT_OUT[path] }));
	},
};

/**
 * Bundles the script of the resume page into one text that can stand inside a script element.
 * Throws on any esbuild warning, and when the text could end that element or compile code.
 *
 * @param {string} root the project's folder
 * @returns {Promise<{ code: string, metafile: import('esbuild').Metafile }>}
 */
export async function bundlePageClient(root) {
	const { outputFiles, metafile, warnings } = await build({
		entryPoints: ['src/page/client/main.tsx'],
		absWorkingDir: root,
		outfile: 'page.js',
		bundle: true,
		minify: true,
		platform: 'browser',
		target: ['chrome109', 'firefox115', 'safari16.4'],
		format: 'iife',
		charset: 'ascii',
		legalComments: 'none',
		jsx: 'automatic',
		jsxImportSource: 'preact',
		alias: {
			react: 'preact/compat',
			'react-dom': 'preact/compat',
			'react/jsx-runtime': 'preact/jsx-runtime',
		},
		plugins: [LIBRARY_PARTS],
		define: { 'process.env.NODE_ENV': '"production"' },
		metafile: true,
		write: false,
		logLevel: 'warning',
	});
	if (warnings.length > 0) throw new Error(`esbuild gave ${String(warnings.length)} warning(s).`);
	const code = outputFiles[0].text.trim();
	const forbidden = /<\/script|<!--|\beval\(|\bnew Function\b/i.exec(code);
	if (forbidden) throw new Error(`The page's script contains "${forbidden[0]}".`);
	return { code, metafile };
}
