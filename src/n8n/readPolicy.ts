import { isPlainObject, type PlainObject } from '../json/plainObject';
import { type Result, succeed } from '../outcome/failure';
import type { ConnectionPolicy, ToolPolicy } from '../policy/connectionPolicy';
import { type IdempotencyPath, readIdempotencyPath } from '../policy/idempotencyPath';
import { refuse, rows } from './connectionFields';

const EFFECTS: readonly ToolPolicy['effect'][] = ['server', 'read', 'idempotent', 'write'];

/** Reads the operator's policy from the credential; tool names are taken byte for byte (E7). */
export function readPolicy(data: PlainObject): Result<ConnectionPolicy> {
	if (!isRowList(data['toolPolicies'])) {
		return refuse('Tool Policies is not a list of rows', 'Enter its rows again and save.');
	}
	const tools: ToolPolicy[] = [];
	for (const row of rows(data, 'toolPolicies', 'tool')) {
		const tool = readRow(row);
		if (!tool.ok) return tool;
		const { name } = tool.value;
		if (tools.some((earlier) => earlier.name === name)) {
			return refuse(`Tool Policies names the tool "${name}" twice`, 'Keep one row for each tool.');
		}
		tools.push(tool.value);
	}
	const unlistedTools = data['unlistedTools'] ?? 'allow';
	if (unlistedTools !== 'allow' && unlistedTools !== 'deny') {
		return refuse('Tools Not Listed has an unknown value', 'Choose Allow or Deny.');
	}
	return succeed({ tools, unlistedTools, useServerHints: data['useServerHints'] !== false });
}

/** A policy that cannot be read must not count as none. */
function isRowList(given: unknown): boolean {
	if (given === undefined || given === null) return true;
	if (!isPlainObject(given)) return false;
	const list = given['tool'] ?? [];
	return Array.isArray(list) && list.every(isPlainObject);
}

function readRow(row: PlainObject): Result<ToolPolicy> {
	const name = row['name'];
	if (typeof name !== 'string' || name === '') {
		return refuse(
			'Tool Policies has a row without a tool name',
			'Enter the name or remove the row.',
		);
	}
	const effect = EFFECTS.find((known) => known === (row['effect'] ?? 'server'));
	if (effect === undefined) {
		return refuse(`Tool Policies has an unknown effect for "${name}"`, 'Choose one from the list.');
	}
	const access = row['access'] ?? 'allowed';
	if (access !== 'allowed' && access !== 'denied') {
		return refuse(`Tool Policies has an unknown access for "${name}"`, 'Choose one from the list.');
	}
	const path = readPath(row['idempotencyKey'] ?? '', name);
	if (!path.ok) return path;
	const idempotencyKey = path.value;
	return succeed({
		name,
		effect,
		access,
		...(idempotencyKey === undefined ? {} : { idempotencyKey }),
	});
}

/** An empty field states no key; whatever else is no path is refused, so that no key is ever dropped (K1). */
function readPath(given: unknown, name: string): Result<IdempotencyPath | undefined> {
	if (given === '') return succeed(undefined);
	const remedy = 'Enter field names with dots between them, such as `claim_id` or `claim.id`.';
	if (typeof given !== 'string') {
		return refuse(`Tool Policies has an Idempotency Key for "${name}" that is no text`, remedy);
	}
	const reading = readIdempotencyPath(given);
	return reading.kind === 'path'
		? succeed(reading.path)
		: refuse(
				`Tool Policies has an unusable Idempotency Key for "${name}": "${given}" ${reading.problem}`,
				remedy,
			);
}
