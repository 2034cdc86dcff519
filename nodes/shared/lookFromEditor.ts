import type { ILoadOptionsFunctions } from 'n8n-workflow';

import { credentialTypeOf } from '../../src/n8n/credentialType';
import { egressFilterOf } from '../../src/n8n/egressFilter';
import { toNodeError } from '../../src/n8n/items';
import { tokenRenewal } from '../../src/n8n/renewToken';
import { editedPresets } from './editedPresets';
import { nodeCredential } from './nodeCredential';
import { type OpenedConnection, withConnection } from './openConnection';

/** One look at a node's connection for the editor. Throws what kept it from looking. */
export async function lookFromEditor<T>(
	context: ILoadOptionsFunctions,
	look: (opened: OpenedConnection) => T,
): Promise<T> {
	const type = credentialTypeOf(context.getNodeParameter('authentication', 'connection'));
	const data = await context.getCredentials(type);
	const credential = await nodeCredential(data, tokenRenewal(context, type));
	const looked = credential.ok
		? await withConnection(credential.value, look, {
				presetAnswers: editedPresets(context),
				egressFilter: egressFilterOf(context),
			})
		: credential;
	if (!looked.ok) throw toNodeError(context.getNode(), looked.failure);
	return looked.value;
}
