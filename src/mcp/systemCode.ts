/** The system or library code of anything caught (ECONNREFUSED, UND_ERR_SOCKET …), looked up through causes; undefined if none. */
export function systemCode(caught: unknown, depth = 0): string | undefined {
	if (depth > 5 || typeof caught !== 'object' || caught === null) return undefined;
	if ('code' in caught && typeof caught.code === 'string') return caught.code;
	if (caught instanceof AggregateError) {
		for (const part of caught.errors) {
			const code = systemCode(part, depth + 1);
			if (code !== undefined) return code;
		}
	}
	return 'cause' in caught ? systemCode(caught.cause, depth + 1) : undefined;
}
