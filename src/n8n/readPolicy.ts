import type { PlainObject } from '../json/plainObject';
import { type Result, succeed } from '../outcome/failure';
import type { ConnectionPolicy, ToolPolicy } from '../policy/connectionPolicy';
import { refuse, rows } from './connectionFields';

const EFFECTS: readonly ToolPolicy['effect'][] = ['server', 'read', 'idempotent', 'write'];

/** Reads the operator's policy from the credential; tool names are taken byte for byte (E7). */
export function readPolicy(data: PlainObject): Result<ConnectionPolicy> {
	const tools: ToolPolicy[] = [];
	for (const row of rows(data, 'toolPolicies', 'tool')) {
		const name = row['name'];
		if (typeof name !== 'string' || name === '') {
			return refuse(
				'Tool Policies has a row without a tool name',
				'Enter the name or remove the row.',
			);
		}
		if (tools.some((tool) => tool.name === name)) {
			return refuse(`Tool Policies names the tool "${name}" twice`, 'Keep one row for each tool.');
		}
		const effect = EFFECTS.find((known) => known === (row['effect'] ?? 'server'));
		if (effect === undefined) {
			return refuse(
				`Tool Policies has an unknown effect for "${name}"`,
				'Choose one from the list.',
			);
		}
		const access = row['access'] ?? 'allowed';
		if (access !== 'allowed' && access !== 'denied') {
			return refuse(
				`Tool Policies has an unknown access for "${name}"`,
				'Choose one from the list.',
			);
		}
		const idempotencyKey = row['idempotencyKey'];
		tools.push({
			name,
			effect,
			access,
			...(typeof idempotencyKey === 'string' && idempotencyKey !== '' ? { idempotencyKey } : {}),
		});
	}
	const unlistedTools = data['unlistedTools'] ?? 'allow';
	if (unlistedTools !== 'allow' && unlistedTools !== 'deny') {
		return refuse('Tools Not Listed has an unknown value', 'Choose Allow or Deny.');
	}
	return succeed({ tools, unlistedTools, useServerHints: data['useServerHints'] !== false });
}
