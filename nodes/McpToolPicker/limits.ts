import type { IExecuteFunctions } from 'n8n-workflow';

import { type Result, succeed } from '../../src/outcome/failure';
import type { DescribedTool } from '../../src/policy/describeTool';
import { type Effect, isWithin } from '../../src/policy/effect';
import { filterByName, readNames } from '../../src/policy/nameFilter';
import { readEffect } from '../../src/policy/readEffect';

export const readText = (value: unknown): string =>
	typeof value === 'string' || typeof value === 'number' ? String(value) : '';

/** What the node's author allows, within the connection's policy. */
export interface Limits {
	readonly maximumEffect: Effect;
	readonly include: readonly string[];
	readonly exclude: readonly string[];
}

export function readLimits(context: IExecuteFunctions, item: number): Result<Limits> {
	const maximumEffect = readEffect(
		context.getNodeParameter('maximumEffect', item, 'write'),
		'Maximum Effect',
	);
	if (!maximumEffect.ok) return maximumEffect;
	return succeed({
		maximumEffect: maximumEffect.value,
		include: readNames(readText(context.getNodeParameter('include', item, ''))),
		exclude: readNames(readText(context.getNodeParameter('exclude', item, ''))),
	});
}

export const applyLimits = (
	tools: readonly DescribedTool[],
	limits: Limits,
): readonly DescribedTool[] =>
	filterByName(tools, ({ publicName }) => publicName, limits).filter(({ effect }) =>
		isWithin(effect, limits.maximumEffect),
	);

/** Why a listed tool may not be picked, if it may not. */
export function refusalOf(
	{ publicName, nameProblem, effect, source, granted }: DescribedTool,
	withinLimits: boolean,
	limits: Limits,
): string | undefined {
	if (nameProblem !== undefined) return nameProblem;
	if (!granted) return `the connection's policy does not allow "${publicName}"`;
	if (!isWithin(effect, limits.maximumEffect)) {
		return `"${publicName}" is ${effect} (${source}), which is more than Maximum Effect ${limits.maximumEffect}`;
	}
	return withinLimits ? undefined : `"${publicName}" is left out by Include or Exclude`;
}
