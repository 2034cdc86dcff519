/**
 * The response headers of the resume page (R8). Takes the nonce of this response, fresh and unguessable;
 * the page's address holds n8n's token, so it must not leave through a referrer, a frame or a cache.
 */
export function pageHeaders(nonce: string): Record<string, string> {
	return {
		'Content-Type': 'text/html; charset=utf-8',
		'Content-Security-Policy': [
			"default-src 'none'",
			`style-src 'nonce-${nonce}'`,
			`script-src 'nonce-${nonce}'`,
			"connect-src 'self'",
			'img-src data:',
			"base-uri 'none'",
			"form-action 'none'",
			"frame-ancestors 'none'",
		].join('; '),
		'Referrer-Policy': 'no-referrer',
		'X-Content-Type-Options': 'nosniff',
		'X-Frame-Options': 'DENY',
		'X-Robots-Tag': 'noindex',
		'Cache-Control': 'no-store',
	};
}
