import { succeed, type Result } from '../outcome/failure';
import { misconfigured } from './unavailable';

/** What settings are read from. */
export interface Surroundings {
	readonly environment: Readonly<Record<string, string | undefined>>;
	readonly platform: NodeJS.Platform;
	readonly workingFolder: string;
	/** The text of a file; may throw. */
	readonly readFile: (path: string) => string;
}

/**
 * A variable as n8n reads it: its own value, else the content of the file that `<name>_FILE` names;
 * trimmed, without one pair of quotes around it. Undefined when neither is set.
 */
export function readVariable(
	{ environment, readFile }: Surroundings,
	name: string,
): Result<string | undefined> {
	const value = environment[name];
	if (value !== undefined) return succeed(unquote(value));
	const file = environment[`${name}_FILE`];
	if (!file) return succeed(undefined);
	try {
		return succeed(unquote(readFile(file)));
	} catch {
		return misconfigured(
			`${name}_FILE names ${file}, which cannot be read`,
			`Make the file readable for n8n, or set ${name}.`,
		);
	}
}

const unquote = (value: string): string => value.trim().replace(/^(['"])(.*)\1$/s, '$2');
