import { expect, it } from 'vitest';
import { settleKey } from '../../../src/call/standingClaim';

const key = { serverName: '', tool: 'pay', value: ' "INV\\1" ' };

it('what the Call Ledger asks for is given by its fields, word for word (K2, K9)', () => {
	expect(settleKey(key)).toContain('(Server Name "", Tool "pay", Key " "INV\\1" ")');
});

it('a key too long for a message is not cut: what was copied would be another key', () => {
	const told = settleKey({ ...key, value: 'k'.repeat(201) });
	expect(told).toContain('Tool "pay", Key as the operation List gives it)');
	expect(told).not.toContain('kkk');
});
