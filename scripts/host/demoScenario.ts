import { readFile } from 'node:fs/promises';
import { inboxOf } from './demoContents.ts';
import type { DemoContents } from './demoContents.ts';
import type { Execution } from './executionData.ts';
import { asJson, isJson } from './json.ts';
import type { Json } from './json.ts';
import type { N8nRest } from './n8nRest.ts';

const SIGNAL_TIMEOUT_MS = 60_000;
const SLEEP_TIMEOUT_MS = 180_000;

export interface Scenario {
	readonly rest: N8nRest;
	readonly contents: DemoContents;
	readonly effectsFile: string;
	/** The demo server's MCP endpoint. */
	readonly endpoint: string;
	/** The last lines that the demo server has printed. */
	readonly serverLog: () => string;
	readonly say: (line: string) => void;
}

/** Runs every example workflow once, as its reader would; throws at the first surprise. */
export async function runScenario(scenario: Scenario): Promise<void> {
	// The sleeper goes first: it sleeps while the others are at work.
	const sleeper = await fallAsleep(scenario);
	await pickAndCall(scenario);
	await approve(scenario);
	await tellSomebody(scenario);
	await hearFromSupplier(scenario);
	await wake(scenario, sleeper);
}

async function pickAndCall({ rest, contents, say }: Scenario): Promise<void> {
	say('');
	say('Pick a tool by policy and call it');
	const id = await rest.runManually(idOf(contents, 'pick-a-tool-by-policy-and-call-it.json'));
	const execution = await rest.waitForExecution(id, ['success']);
	const picked = firstOutput(execution, 'Pick a read tool');
	say(
		`  picked ${show(picked.tool)}, effect ${show(picked.effect)} (${show(picked.effectSource)})`,
	);
	const called = firstOutput(execution, 'Call the picked tool');
	say(`  it returned ${show(called.output)}`);
}

async function approve({ rest, contents, effectsFile, serverLog, say }: Scenario): Promise<void> {
	say('');
	say('Approve a payment');
	const id = await rest.runManually(idOf(contents, 'approve-a-payment.json'));
	const parked = await rest.waitForExecution(id, ['waiting']);
	const park = asJson(
		asJson(firstOutput(parked, 'Request payment').call, 'call').park,
		'call.park',
	);
	say(`  “Request payment” waits for a ${show(park.kind)}: ${show(park.reason)}`);

	const url = await rest.resumeUrl(id);
	// The demo connection shares the address with the server, so that it names its park too.
	expect(
		String(park.resumeUrl).startsWith(url),
		'call.park.resumeUrl begins with the address that resumes the execution',
	);
	const page = await fetch(url, { headers: { accept: 'text/html' } });
	expect(page.status === 200, `the page is there, and not ${String(page.status)}`);
	expect((page.headers.get('content-type') ?? '').startsWith('text/html'), 'the page is HTML');
	say('  the page opens (200)');

	const wrong = await answer(url, { approved: 'perhaps' });
	expect(
		wrong.status === 422,
		`a wrong answer is refused with 422, and not ${String(wrong.status)}`,
	);
	say(`  a wrong answer is refused (422): ${await wrong.text()}`);
	const still = await rest.execution(id);
	expect(still.status === 'waiting', 'the execution still waits after a wrong answer');

	const right = await answer(url, { approved: true, note: 'Go ahead' });
	expect(right.status === 200, `a right answer is taken with 200, and not ${String(right.status)}`);
	say(`  a right answer is taken (200): ${await right.text()}`);
	const done = await rest.waitForExecution(id, ['success']);
	say(`  the workflow went on with ${show(firstOutput(done, 'Request payment').output)}`);
	say(`  “Settle payment” returned ${show(firstOutput(done, 'Settle payment').output)}`);
	const settled = await effects(effectsFile, 'payment.settled');
	expect(settled === 1, `one payment was settled, and not ${String(settled)}`);
	say('  the demo server settled exactly one payment');
	const seen = serverLog()
		.split('\n')
		.findLast((line) => line.startsWith('settle_payment: '));
	expect(seen?.endsWith('signature verified') === true, 'the demo server has verified the call');
	say(`  and says of the call: ${show(seen)}`);

	const late = await answer(url, { approved: false });
	expect(
		late.status === 409,
		`a second answer is refused with 409, and not ${String(late.status)}`,
	);
	say('  a second answer is refused (409)');
}

async function tellSomebody({ rest, contents, endpoint, say }: Scenario): Promise<void> {
	say('');
	say('Approve a payment and tell somebody');
	const id = await rest.runManually(idOf(contents, 'approve-a-payment-and-tell-somebody.json'));
	const parked = await rest.waitForExecution(id, ['waiting']);
	expect(
		asJson(firstOutput(parked, 'Request payment').call, 'call').warnings === undefined,
		'somebody was told',
	);
	const url = await rest.resumeUrl(id);
	const inbox = await (await fetch(inboxOf(endpoint))).text();
	expect(inbox.includes(url.replaceAll('&', '&amp;')), 'the inbox holds the link');
	say('  “Tell somebody what waits” has put the link into the inbox of the demo server');
	const answered = await answer(url, { approved: false, note: 'Not this month' });
	expect(answered.status === 200, `the link takes the answer, and not ${String(answered.status)}`);
	const done = await rest.waitForExecution(id, ['success']);
	say(`  answered by that link: ${show(firstOutput(done, 'Answer'))}`);
}

async function hearFromSupplier({ rest, contents, say }: Scenario): Promise<void> {
	say('');
	say('Wait for a supplier’s signal');
	const id = await rest.runManually(idOf(contents, 'wait-for-a-suppliers-signal.json'));
	await rest.waitForExecution(id, ['waiting', 'success']);
	say('  “Request quote” waits; the demo server got the address and posts the quote to it');
	const done = await rest.waitForExecution(id, ['success'], SIGNAL_TIMEOUT_MS);
	say(`  the signal came: ${show(firstOutput(done, 'Request quote').output)}`);
}

async function fallAsleep({ rest, contents, say }: Scenario): Promise<string> {
	say('');
	say('Remind me later');
	const id = await rest.runManually(idOf(contents, 'remind-me-later.json'));
	const asleep = await rest.waitForExecution(id, ['waiting']);
	say(
		`  “Schedule reminder” sleeps until ${asleep.waitTill?.toISOString() ?? 'nobody knows when'}`,
	);
	const early = await answer(await rest.resumeUrl(id), {});
	expect(early.status === 409, `nobody wakes it early: 409, and not ${String(early.status)}`);
	say('  an answer before its time is refused (409)');
	return id;
}

async function wake({ rest, say }: Scenario, id: string): Promise<void> {
	say('');
	say('Remind me later: waiting for the sleeper');
	const done = await rest.waitForExecution(id, ['success'], SLEEP_TIMEOUT_MS);
	say(`  it woke: ${show(firstOutput(done, 'Schedule reminder').output)}`);
	say('');
}

async function answer(url: string, body: unknown): Promise<Response> {
	return await fetch(url, {
		method: 'POST',
		headers: { 'content-type': 'application/json', accept: 'application/json' },
		body: JSON.stringify(body),
	});
}

function idOf(contents: DemoContents, file: string): string {
	const id = contents.workflows[file];
	if (id === undefined) throw new Error(`The example ${file} is missing.`);
	return id;
}

function firstOutput(execution: Execution, node: string): Json {
	const item = execution.runData[node]?.at(-1)?.outputs[0]?.[0];
	if (item === undefined) throw new Error(`Nothing left the node “${node}”.`);
	return item.json;
}

async function effects(file: string, effect: string): Promise<number> {
	const lines = (await readFile(file, 'utf8')).split('\n').filter((line) => line !== '');
	const all = lines.map((line): unknown => JSON.parse(line));
	return all.filter((entry) => isJson(entry) && entry.effect === effect).length;
}

function expect(condition: boolean, claim: string): void {
	if (!condition) throw new Error(`It was expected that ${claim}.`);
}

function show(value: unknown): string {
	return typeof value === 'string' ? value : JSON.stringify(value);
}
