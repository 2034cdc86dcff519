import { afterAll, beforeAll, describe } from 'vitest';
import type { CredentialReference } from '../../scripts/host/n8nRest';
import { httpConnection } from '../support/host';
import { findQueueBackends } from '../support/queueBackends';
import { startQueueHost } from '../support/queueHost';
import type { QueueHost } from '../support/queueHost';
import { startParkServer } from '../support/servers/parkServer';
import type { ParkServer } from '../support/servers/parkServer';
import { agentsInQueueMode } from './queue/agents';
import { claimsInQueueMode } from './queue/claims';
import { endingsInQueueMode } from './queue/endings';
import { oauthInQueueMode } from './queue/oauth';
import { parksInQueueMode } from './queue/parks';
import { poolInQueueMode } from './queue/pool';
import { resumeRulesInQueueMode } from './queue/resumeRules';
import { subWorkflowsInQueueMode } from './queue/subWorkflows';
import { tellingInQueueMode } from './queue/telling';
import { webhookProcess } from './queue/webhookProcess';

const backends = await findQueueBackends();

describe.skipIf('reason' in backends)(
	'n8n in queue mode, one main, two workers and a webhook process',
	() => {
		let host: QueueHost | undefined;
		let parkServer: ParkServer | undefined;
		let credential: CredentialReference | undefined;

		beforeAll(async () => {
			if ('reason' in backends) return;
			parkServer = await startParkServer();
			host = await startQueueHost(backends);
			credential = await httpConnection(host.rest, { endpoint: parkServer.endpoint });
		});
		afterAll(async () => {
			await host?.stop();
			await parkServer?.stop();
		});

		const bench = () => {
			if (host === undefined || parkServer === undefined || credential === undefined) {
				throw new Error('n8n did not start');
			}
			return { host, parkServer, credential };
		};
		// The sleeper among them sets the time that these take; none of them ends a process that another needs.
		describe.concurrent('all processes alive', () => {
			subWorkflowsInQueueMode(bench);
			webhookProcess(bench);
			endingsInQueueMode(bench);
			tellingInQueueMode(bench);
			resumeRulesInQueueMode(bench);
		});
		oauthInQueueMode(bench);
		poolInQueueMode(bench);
		claimsInQueueMode(bench);
		parksInQueueMode(bench);
		agentsInQueueMode(bench);
	},
);
