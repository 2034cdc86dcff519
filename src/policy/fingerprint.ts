import { canonicalJson } from '../json/canonicalJson';
import type { ListedTool } from './tool';

/** The text that a tool's fingerprint is the SHA-256 of: name, description, schemas and annotations (G4). */
export const fingerprintText = (tool: ListedTool): string =>
	canonicalJson({
		name: tool.name,
		description: tool.description,
		inputSchema: tool.inputSchema,
		outputSchema: tool.outputSchema,
		annotations: tool.annotations,
	});
