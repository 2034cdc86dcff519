import type { Execution } from '../../scripts/host/executionData';
import { asJson } from '../../scripts/host/json';
import type { N8nRest, WorkflowSpec } from '../../scripts/host/n8nRest';
import { until } from '../../scripts/host/until';

/**
 * Publishes a workflow and calls its trigger; resolves when the run is parked, with the caller's response, which may be
 * still to come.
 */
export async function callWebhook(
	rest: N8nRest,
	spec: WorkflowSpec,
	path: string,
	body: unknown = {},
	baseUrl = rest.baseUrl,
): Promise<{ readonly response: Promise<Response>; readonly parked: Execution }> {
	const { id } = await rest.createWorkflow(spec);
	await rest.activate(id);
	const response = fetch(`${baseUrl}/webhook/${path}`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify(body),
	});
	// It is awaited later, or never.
	response.catch(() => undefined);
	const executionId = await until(
		async () => (await rest.listExecutions(id))[0]?.id,
		20_000,
		() => 'The trigger started no execution',
	);
	return { response, parked: await rest.waitForExecution(executionId, ['waiting']) };
}

/** The texts in a streamed response, in one piece, as a chat shows them. */
export const streamedText = (body: string): string =>
	body
		.split('\n')
		.filter((line) => line !== '')
		.map((line) => asJson(JSON.parse(line), 'A chunk'))
		.map(({ type, content }) => (type === 'item' ? String(content) : ''))
		.join('');
