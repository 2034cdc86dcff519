import type { ConnectionPolicy } from './connectionPolicy';

/** Whether the operator lets a tool be called: a row decides, else Tools Not Listed (G1, G2). */
export function isGranted(toolName: string, policy: ConnectionPolicy): boolean {
	const row = policy.tools.find(({ name }) => name === toolName);
	return row === undefined ? policy.unlistedTools === 'allow' : row.access === 'allowed';
}
