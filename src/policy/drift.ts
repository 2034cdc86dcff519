import { canonicalJson } from '../json/canonicalJson';
import { own, type PlainObject } from '../json/plainObject';
import type { DescribedTool } from './describeTool';
import { findOverclaims } from './overclaims';

/** What a fingerprint covers beside the name (G4). */
export const PARTS = ['description', 'inputSchema', 'outputSchema', 'annotations'] as const;
export type Part = (typeof PARTS)[number];

/** A tool as it was. */
export interface BaselineTool {
	readonly fingerprint: string;
	/** The parts that are known of it; a part that is absent here may have been anything, one that is null was not there. */
	readonly parts: PlainObject;
}

/** The tools that were, by name. */
export type Baseline = ReadonlyMap<string, BaselineTool>;

/** A tool as it is now. */
export interface PresentTool {
	readonly described: DescribedTool;
	readonly fingerprint: string;
}

export interface ChangedTool {
	readonly tool: string;
	/** As far as the baseline lets tell: none when it holds the fingerprint alone. */
	readonly changes: readonly Part[];
	readonly fingerprint: string;
	readonly previousFingerprint: string;
}

export interface Drift {
	readonly added: readonly string[];
	readonly removed: readonly string[];
	readonly changed: readonly ChangedTool[];
	/**
	 * Overclaims that the tool's present annotations bring and the earlier ones did not, both under the present policy: what
	 * an operator classifies anew is no drift. Where the earlier annotations are not known, all those of a changed tool.
	 */
	readonly newOverclaims: readonly {
		readonly tool: string;
		readonly overclaims: readonly string[];
	}[];
	/** How many tools are as they were. */
	readonly unchanged: number;
	readonly drifted: boolean;
}

export const NO_DRIFT: Drift = {
	added: [],
	removed: [],
	changed: [],
	newOverclaims: [],
	unchanged: 0,
	drifted: false,
};

/** What has become of a server's tools since the baseline (G4). Takes every present name once. */
export function findDrift(baseline: Baseline, present: readonly PresentTool[]): Drift {
	const names = new Set(present.map(({ described }) => described.tool.name));
	const added = present.filter(({ described }) => !baseline.has(described.tool.name));
	const removed = [...baseline.keys()].filter((name) => !names.has(name));
	const changed = present.flatMap((now) => {
		const before = baseline.get(now.described.tool.name);
		return before === undefined || before.fingerprint === now.fingerprint
			? []
			: [describeChange(before, now)];
	});
	return {
		added: added.map(({ described }) => described.tool.name),
		removed,
		changed,
		newOverclaims: present.flatMap((now) => {
			const overclaims = findNewOverclaims(baseline.get(now.described.tool.name), now);
			return overclaims.length === 0 ? [] : [{ tool: now.described.tool.name, overclaims }];
		}),
		unchanged: present.length - added.length - changed.length,
		drifted: added.length + removed.length + changed.length > 0,
	};
}

const describeChange = (before: BaselineTool, now: PresentTool): ChangedTool => ({
	tool: now.described.tool.name,
	changes: PARTS.filter((part) => {
		const earlier = own(before.parts, part);
		// A listing writes an absent part as null.
		return (
			earlier !== undefined &&
			canonicalJson(earlier) !== canonicalJson(now.described.tool[part] ?? null)
		);
	}),
	fingerprint: now.fingerprint,
	previousFingerprint: before.fingerprint,
});

function findNewOverclaims(
	before: BaselineTool | undefined,
	{ described, fingerprint }: PresentTool,
): readonly string[] {
	if (before?.fingerprint === fingerprint) return [];
	const known = findOverclaims(own(before?.parts ?? {}, 'annotations'), described);
	return described.overclaims.filter((overclaim) => !known.includes(overclaim));
}
