/** Scenarios of the official suite that are not played, by the start of their name, and why. */
export interface LeftOut {
	readonly scenarios: string;
	readonly why: string;
}

export const leftOut: readonly LeftOut[] = [
	{
		scenarios: 'auth/',
		why: "Authorisation is n8n's part, by its OAuth2 credentials; the session sends the token that it is given",
	},
	{
		scenarios: 'elicitation-sep1034-client-defaults',
		why: "A form is answered by what the author presets alone; the defaults of its fields are nobody's answer",
	},
];
