import { describe, expect, it } from 'vitest';
import { failureDescription, operationDescription } from '../../../src/n8n/failureText';
import type { Failure } from '../../../src/outcome/failure';

const bare: Failure = {
	code: 'unclassified',
	disposition: 'did-not-happen',
	message: 'Something happened',
};

describe('the lines under a failure, literally (failures: At the node)', () => {
	it.each([
		['did-not-happen', 'The tool did not run.'],
		['in-doubt', 'The request was sent, and nobody can say what it did.'],
		['landed', 'The server answered for the request.'],
	] as const)(
		'%s is told by name and in words, and nothing else without facts',
		(disposition, words) => {
			expect(failureDescription({ ...bare, disposition })).toBe(
				`Code: unclassified. Disposition: ${disposition}. ${words}`,
			);
		},
	);

	it('HTTP: remedy, stage, effect and its source, status, the body (U5, E6)', () => {
		const failure: Failure = {
			code: 'unauthorized',
			disposition: 'did-not-happen',
			stage: 'call',
			message: 'The server refused the credentials',
			remedy: 'Check Bearer Token.',
			evidence: { httpStatus: 401, body: '<html>no' },
		};
		expect(failureDescription(failure, { effect: 'read', source: 'hint' })).toBe(
			[
				'Check Bearer Token.',
				'Code: unauthorized. Disposition: did-not-happen. The tool did not run.',
				'Stage: call.',
				'Effect of the tool: read (hint).',
				'HTTP status: 401.',
				'The answer began: <html>no',
			].join('\n'),
		);
	});

	it('stdio: command, searched folders, stderr (U6, U7)', () => {
		const failure: Failure = {
			code: 'spawn-failed',
			disposition: 'did-not-happen',
			stage: 'spawn',
			message: 'The command was not found',
			evidence: {
				command: 'npx with 2 arguments',
				searched: ['/usr/bin', '/bin'],
				stderr: 'line 1\nline 2',
			},
		};
		expect(failureDescription(failure)).toBe(
			[
				'Code: spawn-failed. Disposition: did-not-happen. The tool did not run.',
				'Stage: spawn.',
				'Command: npx with 2 arguments.',
				'Searched on PATH: /usr/bin, /bin.',
				'Last lines of its stderr:\nline 1\nline 2',
			].join('\n'),
		);
	});

	it('nothing is said of the effect when the connection failed before the tool, or the tool is unknown', () => {
		const effect = { effect: 'write', source: 'default' } as const;
		for (const failure of [
			{ ...bare, stage: 'connect' } as const,
			{ ...bare, code: 'tool-unknown' } as const,
			{ ...bare, code: 'connection-invalid' } as const,
		]) {
			expect(failureDescription(failure, effect)).not.toContain('Effect');
		}
		expect(failureDescription(bare, effect)).toContain('Effect of the tool: write (default).');
	});

	it('an empty remedy leaves no blank line', () => {
		expect(failureDescription({ ...bare, remedy: '' })).not.toMatch(/^\n|\n\n/);
	});
});

describe('the lines under the failure of an operation that calls no tool, literally', () => {
	it.each([
		['did-not-happen', 'Nothing was changed.'],
		['in-doubt', 'Whether something was changed is not known.'],
		['landed', 'The operation was done.'],
	] as const)(
		'%s is told in words alone: a disposition would be read as that of the call it is about',
		(disposition, words) => {
			expect(operationDescription({ ...bare, disposition, remedy: 'Look there.' })).toBe(
				`Look there.\nCode: unclassified. ${words}`,
			);
		},
	);

	it('stage and evidence stand there as for a call', () => {
		const failure: Failure = {
			...bare,
			code: 'unauthorized',
			stage: 'initialise',
			evidence: { httpStatus: 401 },
		};
		expect(operationDescription(failure)).toBe(
			'Code: unauthorized. Nothing was changed.\nStage: initialise.\nHTTP status: 401.',
		);
	});
});
