import { type WaitFacts, waitWarnings } from '../../../../src/park/waitWarnings';
import type { Situations } from './situations';

const WELL: WaitFacts = {
	answerable: 2,
	parkedAt: new Date('2026-01-02T03:04:05Z'),
	resumeUrl: 'https://n8n.example.com/webhook-waiting/7?signature=abc',
	webhookUrlStated: true,
	manual: false,
	saves: { failed: true, manual: true },
	ledgerRetention: { days: 90, shortened: false },
	host: 'supported',
	supported: '2.41',
};

/** The one warning that these facts give. */
function warning(facts: Partial<WaitFacts>): string {
	const [first, ...others] = waitWarnings({ ...WELL, ...facts });
	if (first === undefined || others.length > 0) throw new Error('Not one warning');
	return first.text;
}

const LOCAL = 'http://localhost:5678/webhook-waiting/7?signature=abc';

export const waits: Situations = {
	'an address of this machine': () => warning({ resumeUrl: LOCAL, webhookUrlStated: false }),
	'an address without a token': () =>
		warning({ resumeUrl: 'https://n8n.example.com/webhook-waiting/7' }),
	'manual executions that are not saved': () =>
		warning({ manual: true, saves: { failed: true, manual: false } }),
	'failed executions that are not saved': () => warning({ saves: { failed: false, manual: true } }),
	'a short memory': () => warning({ ledgerRetention: { days: 1, shortened: true } }),
	'an older n8n': () => warning({ host: 'older' }),
};
