import { describe, expect, test } from 'vitest';

import { classify, type Facts } from '../../src/mcp/classify';

const call: Facts = { stage: 'call', transport: 'streamableHttp', sent: true, closed: false };
const http = (status: number, withSession = true) => ({ status, withSession });

type Case = [string, Partial<Facts>, string, string];

describe('classify', () => {
	test.each<Case>([
		[
			'a result outranks a later timeout',
			{ answer: { kind: 'result' }, interruption: { kind: 'request-timeout' } },
			'result-unreadable',
			'landed',
		],
		[
			'a result outranks a later cancel',
			{ answer: { kind: 'result' }, interruption: { kind: 'cancelled' } },
			'result-unreadable',
			'landed',
		],
		[
			'an error frame outranks a closed connection',
			{ answer: { kind: 'error', rpcCode: -32601, text: '' }, closed: true },
			'rpc-refused',
			'did-not-happen',
		],
		[
			'an error frame in our own timeout code',
			{ answer: { kind: 'error', rpcCode: -32001, text: '' } },
			'rpc-error',
			'in-doubt',
		],
		[
			'nothing sent, then cancelled',
			{ sent: false, interruption: { kind: 'cancelled' } },
			'cancelled',
			'did-not-happen',
		],
		[
			'nothing sent, then timed out',
			{ sent: false, interruption: { kind: 'max-duration' } },
			'timed-out',
			'did-not-happen',
		],
		['sent, then timed out', { interruption: { kind: 'max-duration' } }, 'timed-out', 'in-doubt'],
		[
			'nothing sent, refused',
			{ sent: false, systemCode: 'ECONNREFUSED' },
			'unreachable',
			'did-not-happen',
		],
		['sent, reset', { systemCode: 'ECONNRESET' }, 'connection-lost', 'in-doubt'],
		[
			'sent, ECONNREFUSED all the same: evidence outranks code',
			{ systemCode: 'ECONNREFUSED' },
			'connection-lost',
			'in-doubt',
		],
		[
			'a child gone before sending',
			{ transport: 'stdio', sent: false, closed: true },
			'connection-lost',
			'did-not-happen',
		],
		[
			'a child gone after sending',
			{ transport: 'stdio', closed: true },
			'connection-lost',
			'in-doubt',
		],
		['sent, then cancelled', { interruption: { kind: 'cancelled' } }, 'cancelled', 'in-doubt'],
		...[408, 409, 425, 500, 502, 503, 504].map((status): Case => [
			`status ${String(status)}, which says nothing about the handler`,
			{ http: http(status) },
			'connection-lost',
			'in-doubt',
		]),
		['404 without a session', { http: http(404, false) }, 'http-refused', 'did-not-happen'],
		['404 with our session', { http: http(404) }, 'session-lost', 'did-not-happen'],
		['a redirect', { http: http(302) }, 'http-refused', 'did-not-happen'],
		[
			'nothing sent, and a proxy that declines for good',
			{ sent: false, proxy: { proxy: 'proxy:3128', status: 407 } },
			'http-refused',
			'did-not-happen',
		],
		...[408, 429, 502, 504].map((status): Case => [
			`nothing sent, and a proxy with the status ${String(status)}, which may pass`,
			{ sent: false, proxy: { proxy: 'proxy:3128', status } },
			'unreachable',
			'did-not-happen',
		]),
		[
			'nothing sent, and no way to the proxy',
			{ sent: false, proxy: { proxy: 'proxy:3128', systemCode: 'ECONNREFUSED' } },
			'unreachable',
			'did-not-happen',
		],
		[
			'sent before a redirect whose way a proxy bars: evidence outranks it',
			{ proxy: { proxy: 'proxy:3128', status: 407 } },
			'unclassified',
			'in-doubt',
		],
		['nothing known, sent', {}, 'unclassified', 'in-doubt'],
		['nothing known, nothing sent', { sent: false }, 'unclassified', 'did-not-happen'],
	])('%s', (_claim, facts, code, disposition) => {
		expect(classify({ ...call, ...facts })).toEqual({ code, disposition });
	});

	test.each<[string, Partial<Facts>, string]>([
		[
			'a child that exits before initialise',
			{ stage: 'initialise', transport: 'stdio', closed: true },
			'spawn-failed',
		],
		[
			'a reset while initialising',
			{ stage: 'initialise', systemCode: 'UND_ERR_SOCKET' },
			'unreachable',
		],
		[
			'an initialise that was answered, and no more after it',
			{
				stage: 'initialise',
				sent: true,
				answer: { kind: 'result' },
				interruption: { kind: 'request-timeout' },
			},
			'timed-out',
		],
		[
			'an unusable answer to initialise',
			{ stage: 'initialise', answer: { kind: 'result' } },
			'unreachable',
		],
		['a lost listing', { stage: 'list', systemCode: 'ECONNRESET' }, 'connection-lost'],
		[
			'an error frame to a listing',
			{ stage: 'list', answer: { kind: 'error', rpcCode: -32603, text: '' } },
			'rpc-error',
		],
	])('before the call nothing happened: %s', (_claim, facts, code) => {
		expect(classify({ ...call, ...facts })).toEqual({ code, disposition: 'did-not-happen' });
	});
});
