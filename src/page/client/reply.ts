/** What came back: status 0 when nothing did. */
export interface Reply {
	readonly status: number;
	readonly body: Readonly<Record<string, unknown>>;
}
