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

/** The credential's test button: connects, initialises and lists, and says what is there, which stage failed (C2), or which rows keep every call from being made (E8). */
export async function testConnection(
	this: ICredentialTestFunctions,
	credential: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	const looked = await withConnection({ data: credential.data }, judge, {
		egressFilter: egressFilterOfTest(this),
	});
	return looked.ok ? looked.value : { status: 'Error', message: failureSummary(looked.failure) };
}

function judge(opened: OpenedConnection): INodeCredentialTestResult {
	const { unoffered, serverName } = opened;
	// The editor shows the message of an error alone, and over this connection every call is refused (E8).
	return unoffered.broken.length === 0
		? { status: 'OK', message: describe(opened) }
		: { status: 'Error', message: describeUnofferedRows(unoffered, serverName).join(' ') };
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
