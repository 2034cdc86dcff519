import type { Failure } from '../../src/outcome/failure';

/** A listed tool that may not be picked. */
export const denied = (problem: string): Failure => ({
	code: 'policy-denied',
	disposition: 'did-not-happen',
	message: `The tool cannot be picked: ${problem}`,
	remedy: 'Pick another tool, or change the limits of this node or the policy of the connection.',
});

/** A tool that the server does not list; or does under its own name alone, which has a namespace before it here (C11). */
export const unlisted = (name: string, serverName: string, publicName?: string): Failure => ({
	code: 'tool-unknown',
	disposition: 'did-not-happen',
	message:
		name === '' ? 'Tool is empty' : `The server "${serverName}" does not list a tool "${name}"`,
	remedy:
		publicName === undefined
			? 'Pick a tool from the list; names match exactly, upper and lower case included.'
			: `Write "${publicName}": the connection has a namespace.`,
});

/** A parameter whose expression failed. */
export const unread = (problem: string): Failure => ({
	code: 'arguments-invalid',
	disposition: 'did-not-happen',
	message: `A parameter of the node could not be read: ${problem}`,
	remedy: 'Correct the expression or the value of that parameter.',
});

/** A fingerprint set that cannot be compared with. */
export const unusableBaseline = (problem: string): Failure => ({
	code: 'arguments-invalid',
	disposition: 'did-not-happen',
	message: `Baseline Tools ${problem}`,
	remedy:
		'Give what the operation List put out, such as {{ $("List").all().map(({ json }) => json) }}, or an object with the fingerprint of each tool under its name.',
});
