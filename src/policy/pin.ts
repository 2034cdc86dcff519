import { fingerprintText } from './fingerprint';
import type { ListedTool } from './tool';

/** The fingerprint that a node was built against, and what a differing one does (G4). */
export interface Pin {
	/** As the author entered it: 64 hexadecimal digits, in either case, blanks around them. */
	readonly fingerprint: string;
	readonly onDrift: 'warn' | 'refuse';
}

/** SHA-256 of a text in UTF-8, as 64 lower-case hexadecimal digits. */
export type Sha256 = (text: string) => string;

export type PinVerdict =
	| { readonly kind: 'holds' }
	/** `fingerprint` is the one that the tool has now. */
	| { readonly kind: 'drifted'; readonly fingerprint: string }
	| { readonly kind: 'malformed' };

/** Whether a tool is as it was when the node pinned it (G4). */
export function judgePin(tool: ListedTool, pin: Pin, sha256: Sha256): PinVerdict {
	const pinned = pin.fingerprint.trim().toLowerCase();
	if (!/^[0-9a-f]{64}$/.test(pinned)) return { kind: 'malformed' };
	const fingerprint = sha256(fingerprintText(tool));
	return fingerprint === pinned ? { kind: 'holds' } : { kind: 'drifted', fingerprint };
}
