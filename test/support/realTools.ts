import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { asJson, type Json } from '../../scripts/host/json';

const folder = path.join(import.meta.dirname, '..', 'fixtures', 'realTools');

export interface RealTool {
	/** Name and version of the package that lists it. */
	readonly source: string;
	readonly name: string;
	/** The entry of `tools/list`, as it came. */
	readonly listed: Json;
}

/** Every tool of the published servers whose listings are kept (test/fixtures/realTools/README.md). */
export const realTools: readonly RealTool[] = readdirSync(folder)
	.filter((file) => file.endsWith('.json'))
	.sort()
	.flatMap((file) => {
		const { tools } = asJson(JSON.parse(readFileSync(path.join(folder, file), 'utf8')), file);
		return (tools as readonly Json[]).map((listed) => ({
			source: file.replace(/\.json$/, '').replaceAll('+', '/'),
			name: String(listed.name),
			listed,
		}));
	});
