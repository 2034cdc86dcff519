import type { IExecuteFunctions } from 'n8n-workflow';

import type { ListingChoice } from '../../src/mcp/pooledConnection';
import { sharedPool } from '../../src/mcp/sharedPool';
import { egressFilterOf } from '../../src/n8n/egressFilter';
import type { Opener } from './openConnection';

/** Sessions over the connections that this n8n shares, or that belong to the execution alone (C9). */
export const pooledOpener =
	(context: IExecuteFunctions, listing: ListingChoice): Opener =>
	async ({ settings, sharing }, signal, insteadOf) => {
		const pool = sharedPool(process.env);
		if (!pool.ok) return pool;
		const asked = { settings, insteadOf, listing, signal, egressFilter: egressFilterOf(context) };
		if (sharing === 'shared') return await pool.value.lease(asked);
		const owner = ownerOf(context);
		// n8n does not call it when the execution waits: see endOwnConnections.
		context.onExecutionFinish?.(() => {
			pool.value.end(owner);
		});
		return await pool.value.lease({ ...asked, owner });
	};

/** Ends what belongs to the execution alone: it is about to wait, and goes on in whichever process, with connections anew. */
export function endOwnConnections(context: IExecuteFunctions): void {
	const pool = sharedPool(process.env);
	if (pool.ok) pool.value.end(ownerOf(context));
}

/** n8n gives an execution one such signal from its start, or from its resume, on. */
const ownerOf = (context: IExecuteFunctions): object => context.getExecutionCancelSignal() ?? {};
