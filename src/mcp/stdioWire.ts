import { statSync } from 'node:fs';

import type { StdioSettings } from '../call/connectionSettings';
import { fail, succeed, type Result } from '../outcome/failure';
import { childEnvironment } from './childEnvironment';
import {
	allowCommand,
	checkListIsUsable,
	commandListVariable,
	parseCommandList,
} from './commandPolicy';
import { describeCommand, describeConnection } from './describeConnection';
import type { Evidence } from './evidence';
import { findCommand } from './findCommand';
import { redactor } from './redact';
import { createStdioTransport } from './stdioTransport';
import type { Wire } from './wire';

/**
 * Prepares a child (C7); starts nothing. Refuses commands the operator does not allow (C8), commands that are not there,
 * and a working directory that is none.
 */
export function createStdioWire(
	settings: StdioSettings,
	env: NodeJS.ProcessEnv,
	evidence: Evidence,
	maxMessageBytes: number,
): Result<Wire> {
	const program = findAllowedProgram(settings, env);
	if (!program.ok) return program;
	const broken = settings.environment.find(
		({ name, value }) => name === '' || /[=\0]/.test(name) || value.includes('\0'),
	);
	if (broken !== undefined)
		return refuse(
			`The environment row "${broken.name}" has a name or value that no process can be given.`,
			'Correct the row.',
		);
	if (settings.arguments.some((argument) => argument.includes('\0')))
		return refuse('An argument holds a NUL character.', 'Correct the field Arguments.');

	const redact = redactor(settings.environment.map((row) => row.value));
	const transport = createStdioTransport(
		{
			path: program.value,
			arguments: settings.arguments,
			environment: childEnvironment(env, settings.environment),
			workingDirectory: settings.workingDirectory,
		},
		evidence,
		redact,
		maxMessageBytes,
	);
	return succeed({
		kind: 'stdio',
		transport,
		sent: 'by-transport',
		connection: describeConnection(settings),
		redact,
		maxMessageBytes,
		facts: () => ({ ...transport.facts(), command: describeCommand(settings) }),
		close: () => transport.close(),
	});
}

/** The absolute path of the command, if the operator allows it and it is there. */
function findAllowedProgram(settings: StdioSettings, env: NodeJS.ProcessEnv): Result<string> {
	const list = parseCommandList(env[commandListVariable]);
	const usable = checkListIsUsable(list, settings.command);
	if (!usable.ok) return usable;

	const base = settings.workingDirectory ?? process.cwd();
	if (!isDirectory(base))
		return refuse(
			'The field Working Directory names no directory where n8n runs.',
			'Correct the field Working Directory, or leave it empty.',
		);
	const { path, searched } = findCommand(settings.command, env, base);
	if (list.kind === 'listed') {
		const entries = list.entries.map((entry) => ({
			...entry,
			path: findCommand(entry.command, env, process.cwd()).path,
		}));
		// Before whether it is there: who may not start a program does not learn that.
		const isNamed = entries.some(({ command }) => command === settings.command);
		const allowed =
			path === undefined && isNamed
				? succeed(undefined)
				: allowCommand(entries, path ?? settings.command, settings);
		if (!allowed.ok) return allowed;
	}
	if (path === undefined)
		return fail({
			code: 'spawn-failed',
			disposition: 'did-not-happen',
			stage: 'spawn',
			message: `The command "${settings.command}" was not found where n8n runs${searched.length > 0 ? ', in any directory of its PATH' : ''}.`,
			remedy:
				'Install it on the machine or in the container where n8n runs, or give its full path in the field Command.',
			evidence: { command: describeCommand(settings), searched },
		});
	return succeed(path);
}

function isDirectory(path: string): boolean {
	try {
		return statSync(path).isDirectory();
	} catch {
		return false;
	}
}

const refuse = (message: string, remedy: string): Result<never> =>
	fail({ code: 'spawn-failed', disposition: 'did-not-happen', stage: 'spawn', message, remedy });
