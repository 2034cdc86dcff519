import type { IExecuteFunctions } from 'n8n-workflow';

import { fail, type Result } from '../../src/outcome/failure';
import { nodeCredential } from './nodeCredential';
import { openConnection, type OpenedConnection, type Persist } from './openConnection';

/**
 * Opens the connection that a node's credential states. The credential's own error (U4) ends the run, or is a failure
 * with Continue On Fail; nothing was sent then.
 */
export async function openNodeConnection(
	context: IExecuteFunctions,
	signal: AbortSignal | undefined,
	persist?: Persist,
): Promise<Result<OpenedConnection>> {
	try {
		const authentication = context.getNodeParameter('authentication', 0, 'connection');
		const credential = await nodeCredential(context, authentication, signal);
		return credential.ok ? await openConnection(credential.value, signal, persist) : credential;
	} catch (error) {
		// eslint-disable-next-line @n8n/community-nodes/require-node-api-error -- the host's own error says most
		if (!context.continueOnFail()) throw error;
		const message = error instanceof Error ? error.message : String(error);
		return fail({
			code: 'connection-invalid',
			disposition: 'did-not-happen',
			message: `The MCP connection cannot be used: ${message}`,
			remedy: 'Open the credential and save it again.',
		});
	}
}
