import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';

import { egressFilterOfTest } from '../../src/n8n/egressFilter';
import { failureSummary } from '../../src/n8n/failureText';
import { countByEffect } from '../../src/policy/describeTool';
import { describeUnofferedRows } from '../../src/policy/unofferedRows';
import { type OpenedConnection, withConnection } from './openConnection';

/** The credential's test button: connects, initialises and lists, and says what is there or which stage failed (C2). */
export async function testConnection(
	this: ICredentialTestFunctions,
	credential: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	const looked = await withConnection({ data: credential.data }, describe, {
		egressFilter: egressFilterOfTest(this),
	});
	if (looked.ok) return { status: 'OK', message: looked.value };
	return { status: 'Error', message: failureSummary(looked.failure) };
}

function describe({ session, serverName, tools, unoffered }: OpenedConnection): string {
	const { name, version } = session.server;
	const count = countByEffect(tools);
	const denied = tools.filter(({ granted }) => !granted).length;
	const overclaiming = tools.filter(({ overclaims }) => overclaims.length > 0);
	const warnings = [
		...(tools.length === 0 ? ['The server lists no tools.'] : []),
		...describeUnofferedRows(unoffered, serverName),
		...(overclaiming.length === 0
			? []
			: [
					`Declared harmless by the server, write by the operator: ${overclaiming
						.map(({ tool }) => tool.name)
						.join(', ')}.`,
				]),
	];
	const summary =
		`Connected to ${name} ${version}, protocol ${session.protocolVersion}, ` +
		`${String(tools.length)} tools: ${String(count.read)} read, ${String(count.idempotent)} idempotent, ${String(count.write)} write` +
		(denied === 0 ? '.' : `; ${String(denied)} not allowed.`);
	return [summary, ...warnings].join(' ');
}
