import { randomUUID } from 'node:crypto';

import type { IExecuteFunctions } from 'n8n-workflow';

import { resumeUrlMeta } from '../../src/call/provenance';
import { runsInsideAgent } from '../../src/n8n/agentTool';
import { addressOf, resumeUrlOf } from '../../src/n8n/resumeUrl';
import type { ItemConnection } from './openItemConnections';

/** What a server is told of the address that ends an item's wait, and the id that the address gives the park. */
export interface SharedAddress {
	readonly parkId: string;
	readonly meta: Readonly<Record<string, unknown>>;
}

/** The addresses of the items whose connection shares them (C15); an agent that runs its tools by itself has none. */
export function shareAddresses(
	context: IExecuteFunctions,
	connections: readonly ItemConnection[],
): readonly (SharedAddress | undefined)[] {
	const shares = ({ opened }: ItemConnection) =>
		opened.ok && opened.value.connection.shareResumeUrl;
	if (runsInsideAgent(context) || !connections.some(shares)) return [];
	const url = resumeUrlOf(context);
	const several = connections.length > 1;
	return connections.map((connection, item) => {
		if (!shares(connection)) return undefined;
		const parkId = randomUUID();
		const address = addressOf(url, { item, several, parkId });
		return { parkId, meta: resumeUrlMeta(address) };
	});
}
