import { demoServerFile, nodeProgram } from './paths.ts';

/** A program with the arguments that an operator allows it to be started with. */
export type AllowedCommand = readonly [command: string, ...leading: string[]];

/** How the demo server is started over stdio. */
export const demoServerCommand: AllowedCommand = [nodeProgram, demoServerFile, 'stdio'];

/** The value of `SALVOR_STDIO_COMMANDS` that allows exactly these commands (C8). */
export function stdioCommands(commands: readonly AllowedCommand[]): string {
	return commands.map((command) => command.map((token) => `"${token}"`).join(' ')).join('; ');
}
