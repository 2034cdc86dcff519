import { describe, expect, it } from 'vitest';
import { type WaitFacts, waitWarnings } from '../../../src/park/waitWarnings';

const parkedAt = new Date('2026-11-30T09:00:00Z');
const inDays = (days: number) => new Date(parkedAt.getTime() + days * 24 * 60 * 60 * 1000);
const addressAt = (host: string) => `http://${host}/webhook-waiting/17?signature=s`;

/** A wait that loses nothing. */
const harmless: WaitFacts = {
	answerable: 1,
	parkedAt,
	resumeUrl: 'https://n8n.example.com/webhook-waiting/17?signature=s',
	webhookUrlStated: false,
	manual: false,
	saves: { failed: true, manual: true },
	ledgerRetention: { days: 90, shortened: false },
	host: 'supported',
	supported: '2.41',
};
const warned = (facts: Partial<WaitFacts>) => waitWarnings({ ...harmless, ...facts });
const texts = (facts: Partial<WaitFacts>) => warned(facts).map(({ text }) => text);

it('a wait that loses nothing is not warned of', () => {
	expect(warned({})).toEqual([]);
	expect(warned({ manual: true })).toEqual([]);
});

it('every warning is one sentence, names its setting or its remedy, and holds no token (I9)', () => {
	const all = [
		...texts({ resumeUrl: addressAt('localhost:5678') }),
		...texts({ resumeUrl: 'https://n8n.example.com/webhook-waiting/17' }),
		...texts({ saves: { failed: false, manual: false } }),
		...texts({ manual: true, saves: { failed: false, manual: false } }),
		...texts({ answerable: 2, ledgerRetention: { days: 1, shortened: true } }),
		...texts({ host: 'older' }),
	];
	expect(all).toEqual([
		'The address for the answer begins with http://localhost:5678, which opens only on the machine of n8n: set N8N_WEBHOOK_URL (WEBHOOK_URL in an older n8n) to the address of n8n, on main and on every worker.',
		'The address for the answer carries no token, so whoever guesses the number of the execution may answer: update n8n to 2.41 or newer.',
		'If a later node fails, this execution is deleted together with the answer: set "Save failed production executions" in the workflow settings, or EXECUTIONS_DATA_SAVE_ON_ERROR, to save them.',
		'This execution and its answer are deleted as soon as it ends: switch "Save manual executions" on in the workflow settings, or EXECUTIONS_DATA_SAVE_MANUAL_EXECUTIONS.',
		'Several items wait together and their first answers are kept for 1 day only: raise SALVOR_LEDGER_RETENTION_DAYS, or limit the wait to less.',
		'This n8n is older than 2.41, with which waiting is tested, so the wait may not end as it should: update n8n.',
	]);
});

describe('the address', () => {
	it.each([
		'localhost:5678',
		'LOCALHOST',
		'n8n.localhost',
		'127.0.0.1:5678',
		'127.8.9.10',
		'0.0.0.0:5678',
		'[::1]:5678',
		'[::ffff:127.0.0.1]',
	])('%s is this machine', (host) => {
		expect(warned({ resumeUrl: addressAt(host) })).toMatchObject([{ level: 'warning' }]);
	});

	it.each([
		'n8n',
		'n8n:5678',
		'localhost.example.com',
		'10.0.0.1',
		'128.0.0.1',
		'[::2]',
		'n8n.local',
	])('%s may be reached from elsewhere', (host) => {
		expect(warned({ resumeUrl: addressAt(host) })).toEqual([]);
	});

	it('whoever runs the workflow by hand may well be on that machine, so it is only mentioned', () => {
		expect(warned({ resumeUrl: addressAt('localhost'), manual: true })).toMatchObject([
			{ level: 'info' },
		]);
	});

	it('an operator who stated this machine as the address meant it', () => {
		expect(warned({ resumeUrl: addressAt('localhost'), webhookUrlStated: true })).toEqual([]);
	});

	it('nobody opens it while all items sleep', () => {
		expect(warned({ answerable: 0, resumeUrl: 'http://localhost/webhook-waiting/1' })).toEqual([]);
	});

	it('one that is no URL is nobody’s business here', () => {
		expect(warned({ resumeUrl: '' })).toEqual([]);
	});
});

describe('what n8n saves', () => {
	it('a run by hand and one in production have a setting each', () => {
		expect(warned({ saves: { failed: true, manual: false } })).toEqual([]);
		expect(warned({ manual: true, saves: { failed: false, manual: true } })).toEqual([]);
	});

	it('a sleeper has no answer that could be lost', () => {
		expect(warned({ answerable: 0, saves: { failed: false, manual: false } })).toEqual([]);
	});
});

describe('the ledger’s retention', () => {
	const several = { answerable: 2 };

	it('one item’s answer is used at once, however long the wait', () => {
		expect(
			warned({ deadline: inDays(400), ledgerRetention: { days: 1, shortened: true } }),
		).toEqual([]);
	});

	it('a limit within it loses nothing; one beyond it does, by default too', () => {
		expect(warned({ ...several, deadline: inDays(90) })).toEqual([]);
		expect(warned({ ...several, deadline: inDays(91) })).toHaveLength(1);
	});

	it('a wait without a limit is warned of only when the operator made the retention shorter', () => {
		expect(warned(several)).toEqual([]);
		expect(warned({ ...several, ledgerRetention: { days: 7, shortened: true } })).toHaveLength(1);
	});
});

it('an n8n of unknown age is not called old', () => {
	expect(warned({ host: 'unknown' })).toEqual([]);
});
