/**
 * An MCP server over stdio that misbehaves on request. Flags on the command line steer how it starts and ends;
 * the name of the called tool steers what a call does.
 *
 * Flags: --exit-at-start <code>, --hang, --noise, --deaf (survives the end of stdin and SIGTERM).
 */
import { createInterface } from 'node:readline';

const flags = process.argv.slice(2);
const has = (flag) => flags.includes(flag);
const seen = [];

const write = (value) => process.stdout.write(`${JSON.stringify(value)}\n`);
const answer = (id, result) => write({ jsonrpc: '2.0', id, result });
const text = (value) => ({ content: [{ type: 'text', text: JSON.stringify(value) }] });

const tools = {
	argv: (id) => answer(id, text(flags)),
	env: (id) => answer(id, text(process.env)),
	cwd: (id) => answer(id, text(process.cwd())),
	pid: (id) => answer(id, text(process.pid)),
	seen: (id) => answer(id, text(seen)),
	hang: () => process.stderr.write('hanging\n'),
	die: () => {
		process.stderr.write(`last words, the key is ${process.env.PEER_KEY ?? 'none'}\n`, () => {
			process.exit(3);
		});
	},
	killed: () => process.kill(process.pid, 'SIGKILL'),
	unreadable: (id) => write({ jsonrpc: '2.0', id, result: 'not an object' }),
	'last-answer': (id) => {
		process.stdout.write(
			`${JSON.stringify({ jsonrpc: '2.0', id, result: text('done') })}\n`,
			() => {
				process.exit(0);
			},
		);
	},
	error: (id, params) =>
		write({ jsonrpc: '2.0', id, error: { code: params.arguments.code, message: 'as asked' } }),
	nested: (id, params) => {
		process.stdout.write(`${'['.repeat(params.arguments.levels)}\n`);
		process.stdout.write(
			`${'['.repeat(params.arguments.levels)}${']'.repeat(params.arguments.levels)}\n`,
		);
		answer(id, text('after the brackets'));
	},
	huge: (id, params) => answer(id, text('x'.repeat(params.arguments.bytes))),
	progress: (id, params) => {
		let left = params.arguments.steps;
		const step = () => {
			const progressToken = params._meta.progressToken;
			if (left === 0) return answer(id, text('done'));
			left -= 1;
			write({
				jsonrpc: '2.0',
				method: 'notifications/progress',
				params: { progressToken, progress: params.arguments.steps - left },
			});
			setTimeout(step, params.arguments.everyMs);
		};
		step();
	},
};

if (has('--exit-at-start')) {
	process.stderr.write('cannot start: the licence is missing\n');
	process.exit(Number(flags[flags.indexOf('--exit-at-start') + 1]));
}
if (has('--noise')) process.stdout.write('Welcome to the noisy server!\n{"level":"info"}\n\n');
if (has('--deaf')) {
	process.on('SIGTERM', () => undefined);
	setInterval(() => undefined, 60_000);
}

createInterface({ input: process.stdin }).on('line', (line) => {
	const { id, method, params } = JSON.parse(line);
	seen.push({ id, method, params });
	if (has('--hang')) return;
	if (method === 'initialize')
		answer(id, {
			protocolVersion: params.protocolVersion,
			capabilities: { tools: {} },
			serverInfo: { name: 'stdio peer', version: '1.2.3' },
		});
	if (method === 'tools/list')
		answer(id, { tools: Object.keys(tools).map((name) => ({ name, inputSchema: {} })) });
	if (method === 'tools/call') tools[params.name](id, params);
});
