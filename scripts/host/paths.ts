import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';

/** The project's folder. */
export const projectRoot = path.resolve(import.meta.dirname, '..', '..');

export const packageName = 'n8n-nodes-salvor';
export const distFolder = path.join(projectRoot, 'dist');
export const demoServerFile = path.join(projectRoot, 'examples', 'demo-server', 'server.ts');
export const exampleWorkflowsFolder = path.join(projectRoot, 'examples', 'workflows');

const ownNode = path.join(projectRoot, 'node_modules', 'node', 'bin', 'node');

/** The Node.js of the project's dependencies, which runs n8n and the demo server. */
export const nodeProgram = existsSync(ownNode) ? ownNode : process.execPath;

/** The per-user folder, outside any clone, where an installed n8n is kept. */
export function cacheFolder(env: NodeJS.ProcessEnv = process.env): string {
	if (env.SALVOR_CACHE) return path.resolve(env.SALVOR_CACHE, packageName);
	return path.join(env.XDG_CACHE_HOME ?? path.join(homedir(), '.cache'), packageName);
}
