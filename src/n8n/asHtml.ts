/** The editor renders descriptions of errors, and hints, as HTML; what a server says must not become markup there. */
export const asHtml = (text: string): string =>
	text
		.replaceAll('&', '&amp;')
		.replaceAll('<', '&lt;')
		.replaceAll('>', '&gt;')
		.replaceAll('\n', '<br>');
