import { homedir } from 'node:os';
import path from 'node:path';

/** The project's folder. */
export const projectRoot = path.resolve(import.meta.dirname, '..', '..');

export const packageName = 'n8n-nodes-salvor';
export const distFolder = path.join(projectRoot, 'dist');
export const demoServerFile = path.join(projectRoot, 'examples', 'demo-server', 'server.ts');
export const exampleWorkflowsFolder = path.join(projectRoot, 'examples', 'workflows');

/** The per-user folder, outside any clone, where an installed n8n is kept. */
export function cacheFolder(env: NodeJS.ProcessEnv = process.env): string {
	if (env.SALVOR_CACHE) return path.resolve(env.SALVOR_CACHE, packageName);
	return path.join(env.XDG_CACHE_HOME ?? path.join(homedir(), '.cache'), packageName);
}
