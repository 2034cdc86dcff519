import { describeArrived } from '../json/describeArrived';
import type { Failure } from '../outcome/failure';
import type { DecidedEffect } from '../policy/effect';

/** Why a call is refused before anything is sent: did-not-happen, each one. */
export type Refusal = Omit<Failure, 'disposition'>;

export const unknownTool = (
	toolName: string,
	{
		listsTools,
		serverName,
		publicName,
	}: {
		readonly listsTools: boolean;
		readonly serverName: string;
		/** What the server's tool of that name is called here (C11). */
		readonly publicName?: string | undefined;
	},
): Refusal =>
	listsTools
		? {
				code: 'tool-unknown',
				message: `The server "${serverName}" does not list a tool "${toolName}"`,
				remedy:
					publicName === undefined
						? 'Pick the tool from the list; names match exactly, upper and lower case included.'
						: `Write "${publicName}": the connection has a namespace.`,
			}
		: {
				code: 'tool-unknown',
				message: `"${toolName}" cannot be called: the server "${serverName}" lists no tools`,
				remedy: 'Check that the connection leads to the right server.',
			};

/** The public name leads to no tool, or to several (C11). */
export const unusableName = (toolName: string, problem: string): Refusal => ({
	code: 'connection-invalid',
	message: `"${toolName}" cannot be called: ${problem}`,
	remedy: 'Change or empty the field Namespace of the connection.',
});

/** Rows that the operator relies on are for no tool of the server (E8). */
export const brokenRows = (names: readonly string[], serverName: string): Refusal => ({
	code: 'policy-denied',
	message: `No tool is called over this connection: its Tool Policies states an access or a key for tools that the server "${serverName}" does not offer: ${names.map((name) => `"${name}"`).join(', ')}`,
	remedy:
		'The operator has to correct or remove those rows; names match exactly, upper and lower case included.',
});

export const deniedTool = (toolName: string): Refusal => ({
	code: 'policy-denied',
	message: `The connection's policy does not allow "${toolName}"`,
	remedy: 'The operator can allow it under Tool Policies or Tools Not Listed of the connection.',
});

/** The node would lower the effect (E5). */
export const laxerEffect = (toolName: string, { effect, source }: DecidedEffect): Refusal => ({
	code: 'policy-denied',
	message: `Treat As must not be laxer than the connection: "${toolName}" is ${effect} (${source}) there`,
	remedy: 'Choose an effect at least as strict, or ask the operator to change Tool Policies.',
});

export const malformedPin = (toolName: string): Refusal => ({
	code: 'policy-denied',
	message: `Pinned Fingerprint of "${toolName}" is no fingerprint: it must be 64 hexadecimal digits`,
	remedy: 'Copy it from the field fingerprint of the tool picker, or empty the option.',
});

/** The tool is not as it was when the node pinned it (G4). */
export const driftedTool = (toolName: string, fingerprint: string): Refusal => ({
	code: 'policy-denied',
	message: describeDrift(toolName, fingerprint),
	remedy:
		'See with the operation Compare of the tool picker what changed; if it is all right, put the present fingerprint into Pinned Fingerprint.',
});

export const describeDrift = (toolName: string, fingerprint: string): string =>
	`"${toolName}" has changed since its fingerprint was pinned: the present one is ${fingerprint}`;

export const noObject = (arrived: unknown): Refusal => ({
	code: 'arguments-invalid',
	message: `Arguments must be a JSON object, but ${describeArrived(arrived)} arrived`,
	remedy: 'Give an object such as { "name": "value" }.',
});

/** `unsendable` says what no JSON text, or none that n8n can keep, holds. */
export const unsendableArguments = (unsendable: string): Refusal => ({
	code: 'arguments-invalid',
	message: `The arguments cannot be sent: ${unsendable}`,
	remedy: 'Give an object of plain JSON.',
});

/** Where a value does not fit its schema, and how. */
export interface Misfit {
	readonly path: string;
	readonly message: string;
}

/** Takes one misfit at least; the first is told, the others are counted. */
export function misfitting(toolName: string, misfits: readonly Misfit[]): Refusal {
	const [first, ...others] = misfits.map(({ path, message }) => `${path} ${message}`);
	const more = others.length === 0 ? '' : ` (and ${String(others.length)} more)`;
	return {
		code: 'arguments-invalid',
		message: `Arguments do not fit "${toolName}": ${first ?? 'as a whole'}${more}`,
		remedy: "Correct that argument; the tool's input schema says what it takes.",
	};
}
