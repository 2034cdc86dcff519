import type { CredentialReference } from '../../scripts/host/n8nRest';
import type { QueueHost } from './queueHost';
import type { ParkServer } from './servers/parkServer';

/** What the tests of queue mode share; asked for when a test runs, not when it is declared. */
export type QueueBench = () => {
	readonly host: QueueHost;
	readonly parkServer: ParkServer;
	/** A connection to the park server. */
	readonly credential: CredentialReference;
};
