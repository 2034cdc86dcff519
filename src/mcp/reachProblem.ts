/** What kept a connection from being made, by the system's or the library's code for it. */
export function reachProblem(code: string | undefined): string {
	switch (code) {
		case undefined:
			return 'no connection';
		case 'ECONNREFUSED':
			return 'connection refused, ECONNREFUSED';
		case 'ENOTFOUND':
		case 'EAI_AGAIN':
			return `unknown host, ${code}`;
		case 'ECONNRESET':
		case 'UND_ERR_SOCKET':
			return `connection closed, ${code}`;
		case 'EPROTO':
			return `no TLS handshake, ${code}`;
		default:
			return code.startsWith('ERR_SSL_') ? `no TLS handshake, ${code}` : code;
	}
}

/** OpenSSL's verification codes as Node names them, and Node's own. */
export function isCertificateCode(code: string): boolean {
	return /CERT|SELF_SIGNED|UNABLE_TO_(GET|VERIFY)/.test(code);
}
