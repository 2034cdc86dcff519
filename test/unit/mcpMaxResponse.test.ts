import { describe, expect, test } from 'vitest';

import { readMaxResponse } from '../../src/mcp/maxResponse';
import { failureOf, valueOf } from '../support/connections';

const read = (stated?: string) => readMaxResponse({ SALVOR_MAX_RESPONSE_MB: stated });

describe('SALVOR_MAX_RESPONSE_MB (C6)', () => {
	test.each([
		[undefined, 32],
		['', 32],
		[' 64 ', 64],
		['0.5', 0.5],
		['512', 512],
	])('%j is %s MiB', (stated, mb) => {
		expect(valueOf(read(stated))).toBe(mb * 1024 * 1024);
	});

	test.each(['0', '-1', 'many', '32MB', 'NaN', 'Infinity', '513'])(
		'%s is refused, and the message names the variable',
		(stated) => {
			const failure = failureOf(read(stated));
			expect(failure).toMatchObject({
				code: 'connection-invalid',
				disposition: 'did-not-happen',
			});
			expect(failure.message).toContain('SALVOR_MAX_RESPONSE_MB');
		},
	);
});
