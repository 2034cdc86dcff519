import { isPlainObject, own, type PlainObject } from '../json/plainObject';
import { type Baseline, type BaselineTool, PARTS } from './drift';
import type { Sha256 } from './pin';

/** A tool as it is remembered: `text` is what its fingerprint is the SHA-256 of (G4). */
export interface RememberedTool {
	readonly name: string;
	readonly text: string;
}

/** The baseline that remembered tools make. */
export const baselineOf = (tools: readonly RememberedTool[], sha256: Sha256): Baseline =>
	new Map(
		tools.map(({ name, text }) => [name, { fingerprint: sha256(text), parts: partsOf(text) }]),
	);

export type BaselineReading =
	| { readonly kind: 'baseline'; readonly baseline: Baseline }
	/** What is wrong, as the end of a sentence that begins with the field. */
	| { readonly kind: 'refused'; readonly problem: string };

/**
 * Reads a stored fingerprint set: what the picker's List put out, an array of `{ tool, fingerprint, … }` whose further
 * fields tell later what changed; or an object with the fingerprint of each tool under its name.
 */
export function readBaseline(given: unknown): BaselineReading {
	if (Array.isArray(given)) return readEntries(given.map(readListed));
	if (!isPlainObject(given)) {
		return { kind: 'refused', problem: 'must be an array of tools or an object of fingerprints' };
	}
	return readEntries(
		Object.entries(given).map(([name, fingerprint]) => ({ name, fingerprint, parts: {} })),
	);
}

interface Entry {
	readonly name: unknown;
	readonly fingerprint: unknown;
	readonly parts: PlainObject;
}

const readListed = (row: unknown): Entry => {
	const listed = isPlainObject(row) ? row : {};
	const known = PARTS.filter((part) => own(listed, part) !== undefined);
	return {
		// Under a namespace `tool` is the public name (C11).
		name: own(listed, 'nativeName') ?? own(listed, 'tool'),
		fingerprint: own(listed, 'fingerprint'),
		parts: Object.fromEntries(known.map((part) => [part, listed[part]])),
	};
};

function readEntries(entries: readonly Entry[]): BaselineReading {
	const baseline = new Map<string, BaselineTool>();
	for (const [at, { name, fingerprint, parts }] of entries.entries()) {
		if (typeof name !== 'string' || name === '') {
			return { kind: 'refused', problem: `has no tool name in entry ${String(at + 1)}` };
		}
		if (typeof fingerprint !== 'string' || !/^[0-9a-f]{64}$/i.test(fingerprint)) {
			return {
				kind: 'refused',
				problem: `has no fingerprint of 64 hexadecimal digits for "${name}"`,
			};
		}
		if (baseline.has(name)) return { kind: 'refused', problem: `names "${name}" twice` };
		baseline.set(name, { fingerprint: fingerprint.toLowerCase(), parts });
	}
	return { kind: 'baseline', baseline };
}

/** Canonical JSON leaves absent parts out. */
function partsOf(text: string): PlainObject {
	let parsed: unknown;
	try {
		parsed = JSON.parse(text);
	} catch {
		return {};
	}
	if (!isPlainObject(parsed)) return {};
	const remembered = parsed;
	return Object.fromEntries(PARTS.map((part) => [part, own(remembered, part) ?? null]));
}
