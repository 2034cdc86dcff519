import type { Json } from '../../scripts/host/json';
import type { CredentialReference, N8nRest, WorkflowSpec } from '../../scripts/host/n8nRest';
import { httpConnection } from './host';
import { byName } from './calls';
import { items, manualTrigger, toolCall, workflow } from './workflow';

/** A connection to the payments server on which an invoice is charged once: `invoice` is the key of its two changing tools. */
export const keyedConnection = (
	rest: N8nRest,
	endpoint: string,
	more: Json = {},
): Promise<CredentialReference> =>
	httpConnection(rest, {
		endpoint,
		serverName: 'payments',
		toolPolicies: {
			tool: [
				{ name: 'pay', effect: 'write', access: 'allowed', idempotencyKey: 'invoice' },
				{ name: 'ensure', effect: 'idempotent', access: 'allowed', idempotencyKey: 'invoice' },
			],
		},
		...more,
	});

/** One call for each item: its arguments are the item's, but for `use`, which names another tool than `pay`. */
export const payEach = (
	credential: CredentialReference,
	options: Json = {},
	settings: Json = {},
	more: Json = {},
) =>
	toolCall(
		credential,
		{
			operation: 'call',
			tool: byName("={{ $json.use ?? 'pay' }}"),
			argumentsMode: 'json',
			argumentsJson: '={{ JSON.stringify({ invoice: $json.invoice, amount: $json.amount ?? 5 }) }}',
			options,
			...more,
		},
		settings,
	);

/** A run that makes these payments. */
export const paying = (
	credential: CredentialReference,
	given: readonly Json[],
	options: Json = {},
	settings: Json = {},
): WorkflowSpec =>
	workflow([manualTrigger(), items(given), payEach(credential, options, settings)]);
