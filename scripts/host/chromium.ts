import { existsSync } from 'node:fs';

const USUAL = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** The Chromium that the browser tests drive: `CHROMIUM_PATH`, or where it usually is. */
export function chromiumPath(env: NodeJS.ProcessEnv = process.env): string | undefined {
	return [env.CHROMIUM_PATH, ...USUAL].find(
		(candidate) => candidate !== undefined && candidate !== '' && existsSync(candidate),
	);
}
