/** A connection as the credential states it, checked and resolved; building one does nothing (C2). */

export interface NamedValue {
	readonly name: string;
	/** Literal: never trimmed, split or parsed (C1). */
	readonly value: string;
}

export interface HttpSettings {
	readonly kind: 'streamableHttp';
	/** Absolute http or https URL. */
	readonly endpoint: string;
	readonly bearerToken?: string;
	readonly headers: readonly NamedValue[];
	/** PEM text. */
	readonly caCertificate?: string;
	/** True accepts any TLS certificate. */
	readonly ignoreSslIssues: boolean;
}

export interface StdioSettings {
	readonly kind: 'stdio';
	/** A program's name, looked up on PATH, or its path. No shell. */
	readonly command: string;
	readonly arguments: readonly string[];
	readonly environment: readonly NamedValue[];
	readonly workingDirectory?: string;
}

export interface ConnectionSettings {
	readonly transport: HttpSettings | StdioSettings;
	/** The operator's name for the server, if given. */
	readonly serverName?: string;
	/** Idle limit of one request; progress resets it (C3). */
	readonly requestTimeoutMs: number;
	/** Hard limit of one request (C3). */
	readonly maxDurationMs: number;
	/** What to answer when the server asks in the middle of a call, by property; absent: it is not told that it may (C12). */
	readonly presetAnswers?: Readonly<Record<string, unknown>>;
	/** True for an access token that is renewed: its connections may go on with the next one, which is nobody else's. */
	readonly renewable?: boolean;
}
