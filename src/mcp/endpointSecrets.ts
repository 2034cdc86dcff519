/** Shorter ones are words rather than secrets, such as `http` or `tools`; they would be missed in what is told. */
const shortestQueryValue = 8;
const shortestPathPart = 16;

/**
 * What in an endpoint may let somebody in: the values of its query, and long parts of its path, as services have them that
 * give every customer its own address. A server's answer may repeat them.
 */
export function endpointSecrets({ pathname, search, searchParams }: URL): readonly string[] {
	const asWritten = search.slice(1).split('&');
	const values = [
		...searchParams.values(),
		...asWritten.map((pair) => pair.slice(pair.indexOf('=') + 1)),
	];
	return [
		...values.filter((value) => value.length >= shortestQueryValue),
		...pathname.split('/').filter((part) => part.length >= shortestPathPart),
	];
}
