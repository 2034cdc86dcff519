import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A new self-signed certificate for 127.0.0.1 and its key, both as PEM. */
export function selfSigned(): { readonly key: string; readonly cert: string } {
	const place = mkdtempSync(join(tmpdir(), 'salvor-tls-'));
	const key = join(place, 'key.pem');
	const cert = join(place, 'cert.pem');
	try {
		execFileSync(
			'openssl',
			[
				...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'],
				...['-days', '2', '-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'],
				...['-keyout', key, '-out', cert],
			],
			{ stdio: 'ignore' },
		);
		return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
	} finally {
		rmSync(place, { recursive: true, force: true });
	}
}
