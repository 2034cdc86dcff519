import type { ChildProcess } from 'node:child_process';

import { deserializeMessage, serializeMessage } from '@modelcontextprotocol/sdk/shared/stdio.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import spawn from 'cross-spawn';

import { followGroup, within, type ChildGroup, type ExitState } from './childGroup';
import { markSent, type Evidence } from './evidence';
import { parseJson, readAnswers } from './frames';
import { keepLastLines } from './lastLines';
import { mostAnswersAtOnce } from './limits';
import { type OverlongLine, splitLines } from './lineSplitter';
import { idOfOverlong, tooLarge } from './overlongAnswer';
import type { Redact } from './redact';

export interface ChildProgram {
	/** Absolute path. */
	readonly path: string;
	readonly arguments: readonly string[];
	readonly environment: Readonly<Record<string, string>>;
	readonly workingDirectory: string | undefined;
}

export interface ChildFacts {
	/** How the child ended; undefined while it runs. */
	readonly exit: ExitState | undefined;
	/** Last lines of stderr, then noise on stdout, each line of the latter marked; empty if none. */
	readonly output: string;
}

export interface StdioTransport extends Transport {
	facts(): ChildFacts;
}

/** How long to wait for the last output of a child that has exited. */
const drainMs = 250;

/**
 * Talks to a child over its pipes, one JSON-RPC message a line (C7). The child leads its own process group and no shell
 * is involved. Lines on stdout that are no message are kept for a failure's evidence and otherwise ignored.
 */
export function createStdioTransport(
	program: ChildProgram,
	evidence: Evidence,
	redact: Redact,
	maxMessageBytes: number,
): StdioTransport {
	const errorLines = keepLastLines(10, redact);
	const noise = keepLastLines(5, redact);
	let child: ChildProcess | undefined;
	let group: ChildGroup | undefined;
	let exit: ExitState | undefined;
	let closing: Promise<void> | undefined;
	let open = false;
	const closed = Promise.withResolvers<undefined>();
	/** The writing of the last message that was handed over; one that waits its turn behind it has not been sent. */
	let lastWrite: Promise<void> = Promise.resolve();
	/** Answers to what the child asked that it has not taken. */
	let answersWaiting = 0;

	const receive = (line: string): void => {
		if (line.trim() === '') return;
		let message: JSONRPCMessage;
		try {
			message = deserializeMessage(line);
		} catch {
			const answers = readAnswers(parseJson(line));
			if (answers.length === 0) noise.add(`stdout: ${line}\n`);
			else evidence.answered(parseJson(line));
			return;
		}
		transport.onmessage?.(message);
	};

	/** An answer that is too long costs its own request alone; where it cannot be told which, all of them. */
	const refuse = (line: OverlongLine): void => {
		noise.add(`stdout: a line longer than ${String(maxMessageBytes)} bytes\n`);
		const note = evidence.find(idOfOverlong(line));
		if (note === undefined) void close();
		else note.interrupt({ kind: 'lost', reason: tooLarge(maxMessageBytes) });
	};

	const close = (): Promise<void> => {
		closing ??= (async () => {
			open = false;
			// First, so that whoever waits for an answer learns at once.
			transport.onclose?.();
			closed.resolve(undefined);
			await group?.end();
			child?.stdout?.destroy();
			child?.stderr?.destroy();
		})();
		return closing;
	};

	const writeNow = async (message: JSONRPCMessage): Promise<void> => {
		const stdin = child?.stdin;
		// It has exited, and its last output is still being read: who writes now learns of the end with all others.
		if (open && !stdin?.writable) await within(2 * drainMs, closed.promise);
		if (!open || !stdin?.writable) throw new Error('The child does not take input any more');
		const line = serializeMessage(message);
		if (!markSent(evidence, message)) return;
		await new Promise<void>((settle, refuse) => {
			stdin.write(line, (error) => {
				if (!error) settle();
				// Its exit says more than the broken pipe does.
				else
					void within(drainMs, exited()).then(async () => {
						refuse(error);
						await close();
					});
			});
		});
	};

	const exited = (): Promise<unknown> => group?.exited ?? Promise.resolve();

	const listen = (started: ChildProcess, followed: ChildGroup): void => {
		const lines = splitLines(maxMessageBytes);
		const drained = new Promise((settle) => started.once('close', settle));
		started.stdout?.on('data', (chunk: Buffer) => {
			for (const line of lines.add(chunk)) {
				if (typeof line === 'string') receive(line);
				else refuse(line);
			}
		});
		started.stderr?.setEncoding('utf8').on('data', (text: string) => {
			errorLines.add(text);
		});
		// A child that closes stdout and lives on will never answer.
		started.stdout?.once('end', () => {
			void within(drainMs, drained).then(close);
		});
		// A broken pipe shows up as the child's exit; without a listener it would end n8n.
		started.stdin?.on('error', () => undefined);
		void followed.exited.then(async (state) => {
			exit = state;
			await within(drainMs, drained);
			await close();
		});
	};

	const transport: StdioTransport = {
		start() {
			const started = spawn(program.path, program.arguments, {
				detached: process.platform !== 'win32',
				env: { ...program.environment },
				shell: false,
				stdio: ['pipe', 'pipe', 'pipe'],
				windowsHide: true,
				...(program.workingDirectory === undefined ? {} : { cwd: program.workingDirectory }),
			});
			child = started;
			return new Promise((settle, refuse) => {
				started.once('error', refuse);
				started.once('spawn', () => {
					open = true;
					const followed = followGroup(started);
					group = followed;
					listen(started, followed);
					settle();
				});
			});
		},
		send(message) {
			const isAnswer = !('method' in message);
			if (isAnswer && answersWaiting >= mostAnswersAtOnce)
				return Promise.reject(new Error('Too many answers wait for the child to read'));
			answersWaiting += isAnswer ? 1 : 0;
			const write = lastWrite.then(() => writeNow(message));
			lastWrite = write
				.catch(() => undefined)
				.finally(() => {
					answersWaiting -= isAnswer ? 1 : 0;
				});
			return write;
		},
		close,
		facts() {
			const output = [errorLines.text(), noise.text()].filter((text) => text !== '').join('\n');
			return { exit, output };
		},
	};
	return transport;
}
