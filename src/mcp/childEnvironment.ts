import type { NamedValue } from '../call/connectionSettings';

/** What a child needs from n8n's own environment to run and to reach the network; n8n's secrets stay behind (C7). */
const inherited = new Set([
	'PATH',
	'HOME',
	'USER',
	'LOGNAME',
	'SHELL',
	'TERM',
	'LANG',
	'LANGUAGE',
	'TZ',
	'TMPDIR',
	'TEMP',
	'TMP',
	'HTTP_PROXY',
	'HTTPS_PROXY',
	'NO_PROXY',
	'ALL_PROXY',
	'NODE_EXTRA_CA_CERTS',
	'NODE_USE_SYSTEM_CA',
	'SSL_CERT_FILE',
	'SSL_CERT_DIR',
	'REQUESTS_CA_BUNDLE',
	'CURL_CA_BUNDLE',
	'GIT_SSL_CAINFO',
	// Windows cannot start most programs without these.
	'APPDATA',
	'COMSPEC',
	'LOCALAPPDATA',
	'PATHEXT',
	'PROGRAMDATA',
	'PROGRAMFILES',
	'SYSTEMDRIVE',
	'SYSTEMROOT',
	'USERNAME',
	'USERPROFILE',
]);

/** The child's environment (C7): PATH, HOME and locale basics, proxy and CA variables of n8n, then the rows, literally. */
export function childEnvironment(
	env: NodeJS.ProcessEnv,
	rows: readonly NamedValue[],
): Record<string, string> {
	const kept = Object.entries(env).filter(([name]) => {
		const upper = name.toUpperCase();
		return inherited.has(upper) || upper.startsWith('LC_');
	});
	const result: Record<string, string> = {};
	for (const [name, value] of kept) if (value !== undefined) result[name] = value;
	for (const row of rows) result[row.name] = row.value;
	return result;
}
