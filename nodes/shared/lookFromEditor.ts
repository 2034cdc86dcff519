import type { ILoadOptionsFunctions } from 'n8n-workflow';

import { toNodeError } from '../../src/n8n/items';
import { nodeCredential } from './nodeCredential';
import { type OpenedConnection, withConnection } from './openConnection';

/** One look at a node's connection for the editor. Throws what kept it from looking. */
export async function lookFromEditor<T>(
	context: ILoadOptionsFunctions,
	look: (opened: OpenedConnection) => T,
): Promise<T> {
	const authentication = context.getNodeParameter('authentication', 'connection');
	const credential = await nodeCredential(context, authentication);
	const looked = credential.ok ? await withConnection(credential.value, look) : credential;
	if (!looked.ok) throw toNodeError(context.getNode(), looked.failure);
	return looked.value;
}
