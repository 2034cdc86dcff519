/**
 * An MCP server over stdio that misbehaves on request. Flags on the command line steer how it starts and ends;
 * the name of the called tool steers what a call does.
 *
 * Flags: --exit-at-start <code>, --hang, --noise, --deaf (survives the end of stdin and SIGTERM), --announces (says that it
 * tells when its tools change), --helper (starts a process of its own that holds its pipes, as deaf as itself).
 */
import { spawn } from 'node:child_process';
import { closeSync } from 'node:fs';
import { createInterface } from 'node:readline';

const flags = process.argv.slice(2);
const has = (flag) => flags.includes(flag);
const seen = [];
const held = [];

const write = (value) => process.stdout.write(`${JSON.stringify(value)}\n`);
const answer = (id, result) => write({ jsonrpc: '2.0', id, result });
const text = (value) => ({ content: [{ type: 'text', text: JSON.stringify(value) }] });

/** What a test need not read back. */
const withoutBulk = (params) =>
	JSON.stringify(params ?? null).length > 100_000 ? { name: params.name } : params;

const tools = {
	argv: (id) => answer(id, text(flags)),
	env: (id) => answer(id, text(process.env)),
	cwd: (id) => answer(id, text(process.cwd())),
	pid: (id) => answer(id, text(process.pid)),
	seen: (id) => answer(id, text(seen)),
	/** Tells that its tools have changed. */
	change: (id) => {
		write({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' });
		answer(id, text('changed'));
	},
	/** Answers with its own argument once as many as `of` have come, the last one first. */
	echo: (id, params) => {
		const { value, of } = params.arguments;
		held.push(() => answer(id, text(value)));
		if (held.length === of) for (const give of held.splice(0).reverse()) give();
	},
	hang: () => process.stderr.write('hanging\n'),
	die: () => {
		process.stderr.write(`last words, the key is ${process.env.PEER_KEY ?? 'none'}\n`, () => {
			process.exit(3);
		});
	},
	killed: () => process.kill(process.pid, 'SIGKILL'),
	/** Kills what started it, and lives on. */
	'kill-parent': () => process.kill(process.ppid, 'SIGKILL'),
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
	/** Writes the text, in which $id stands for the request's id; then stays, exits, or closes stdout or stdin. */
	write: (id, params) => {
		const { text: written, then } = params.arguments;
		if (then === 'close-stdin') {
			process.stdin.destroy();
			closeSync(0);
			setInterval(() => undefined, 60_000);
		}
		process.stdout.write(written.replaceAll('$id', String(id)), () => {
			if (then === 'exit') process.exit(0);
			if (then === 'close-stdout') closeSync(1);
		});
	},
	/** Answers, and reads no more until SIGUSR2; then reads on or exits. */
	'stop-reading': (id, params) => {
		answer(id, text(process.pid));
		input.pause();
		setInterval(() => undefined, 60_000);
		process.once('SIGUSR2', () => {
			if (params.arguments.then === 'exit') process.exit(4);
			input.resume();
		});
	},
	/** Asks for signs of life, and reads no answer before the last question has been taken. */
	'flood-pings': (id, params) => {
		input.pause();
		for (let left = params.arguments.count; left > 0; left -= 1) {
			write({ jsonrpc: '2.0', id: `ping-${left}`, method: 'ping' });
		}
		const frame = { jsonrpc: '2.0', id, result: text('asked') };
		process.stdout.write(`${JSON.stringify(frame)}\n`, () => input.resume());
	},
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
				params: {
					progressToken,
					progress: params.arguments.steps - left,
					...params.arguments.more,
				},
			});
			setTimeout(step, params.arguments.everyMs);
		};
		step();
	},
};

if (has('--helper')) {
	const script = `${has('--deaf') ? "trap '' TERM; " : ''}exec sleep 600`;
	spawn('sh', ['-c', script], { stdio: 'inherit' }).unref();
}
if (has('--exit-at-start')) {
	process.stderr.write('cannot start: the licence is missing\n');
	process.exit(Number(flags[flags.indexOf('--exit-at-start') + 1]));
}
if (has('--noise')) process.stdout.write('Welcome to the noisy server!\n{"level":"info"}\n\n');
if (has('--deaf')) {
	process.on('SIGTERM', () => undefined);
	setInterval(() => undefined, 60_000);
}

const input = createInterface({ input: process.stdin });
input.on('line', (line) => {
	const { id, method, params } = JSON.parse(line);
	seen.push({ id, method, params: withoutBulk(params) });
	if (has('--hang')) return;
	if (method === 'initialize')
		answer(id, {
			protocolVersion: params.protocolVersion,
			capabilities: { tools: { listChanged: has('--announces') } },
			serverInfo: { name: 'stdio peer', version: '1.2.3' },
		});
	if (method === 'ping') answer(id, {});
	if (method === 'tools/list')
		answer(id, { tools: Object.keys(tools).map((name) => ({ name, inputSchema: {} })) });
	if (method === 'tools/call') tools[params.name](id, params);
});
