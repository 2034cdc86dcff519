const OWN_PREFIXES = ['N8N_', 'DB_', 'EXECUTIONS_', 'QUEUE_', 'SALVOR_', 'VITEST', 'npm_'];
const OWN_NAMES = ['NODE_ENV', 'NODE_OPTIONS', 'NODE_PATH', 'WEBHOOK_URL', 'NODES_EXCLUDE'];
const LOOPBACK = '127.0.0.1,localhost';

export interface EnvironmentSpec {
	readonly userFolder: string;
	readonly port: number;
	readonly brokerPort: number;
	readonly baseUrl: string;
}

/**
 * The environment of an n8n that keeps to this machine: SQLite in its own folder, no telemetry, no
 * banners, no lists fetched from outside. Settings of an n8n of the user's own are left behind.
 */
export function n8nEnvironment(spec: EnvironmentSpec): NodeJS.ProcessEnv {
	return {
		...inherited(),
		NODE_ENV: 'production',
		DB_TYPE: 'sqlite',
		N8N_USER_FOLDER: spec.userFolder,
		N8N_PORT: String(spec.port),
		N8N_LISTEN_ADDRESS: '127.0.0.1',
		N8N_WEBHOOK_URL: `${spec.baseUrl}/`,
		N8N_EDITOR_BASE_URL: spec.baseUrl,
		N8N_SECURE_COOKIE: 'false',
		N8N_RUNNERS_BROKER_PORT: String(spec.brokerPort),
		N8N_PYTHON_ENABLED: 'false',
		N8N_GRACEFUL_SHUTDOWN_TIMEOUT: '10',
		// Their parts of the editor fetch lists from n8n's servers, or only lengthen the start.
		N8N_DISABLED_MODULES: 'mcp-registry,instance-ai,agents,chat-hub',
		N8N_UNVERIFIED_PACKAGES_ENABLED: 'true',
		N8N_VERIFIED_PACKAGES_ENABLED: 'false',
		N8N_LICENSE_AUTO_RENEW_ENABLED: 'false',
		N8N_DIAGNOSTICS_ENABLED: 'false',
		N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
		N8N_VERSION_NOTIFICATIONS_WHATS_NEW_ENABLED: 'false',
		N8N_DYNAMIC_BANNERS_ENABLED: 'false',
		N8N_HIRING_BANNER_ENABLED: 'false',
		N8N_TEMPLATES_ENABLED: 'false',
		N8N_PERSONALIZATION_ENABLED: 'false',
		N8N_HIDE_USAGE_PAGE: 'true',
	};
}

function inherited(): NodeJS.ProcessEnv {
	const kept = Object.entries(process.env).filter(
		([name]) =>
			!OWN_NAMES.includes(name) && !OWN_PREFIXES.some((prefix) => name.startsWith(prefix)),
	);
	const noProxy = process.env.NO_PROXY ?? process.env.no_proxy;
	return {
		...Object.fromEntries(kept),
		NO_PROXY: noProxy === undefined ? LOOPBACK : `${noProxy},${LOOPBACK}`,
	};
}
