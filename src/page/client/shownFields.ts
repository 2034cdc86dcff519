import type { ShownField } from './collectAnswer';
import { isWithin } from './fieldPath';
import type { Issue } from './placeIssues';

/** The fields on the page, in order. */
export function shownFields(form: ParentNode): readonly ShownField[] {
	return [...form.querySelectorAll<HTMLElement>('[data-steps]')].map(({ dataset }) => ({
		// eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- FieldTemplate wrote it
		path: JSON.parse(dataset['steps'] ?? '[]') as (string | number)[],
		isLeaf: dataset['leaf'] === 'true',
		isNullWhenEmpty: dataset['null'] === 'true',
	}));
}

/** The innermost field on the page that a JSON path lies in; undefined when that is the whole answer. */
export function fieldAt(form: ParentNode, path: string): HTMLElement | undefined {
	const within = [...form.querySelectorAll<HTMLElement>('[data-path]')].filter(
		({ dataset }) => dataset['path'] !== '$' && isWithin(path, dataset['path'] ?? ''),
	);
	return within.toSorted((a, b) => pathOf(b).length - pathOf(a).length)[0];
}

export const pathOf = ({ dataset }: HTMLElement): string => dataset['path'] ?? '$';

/** What to focus in a field: the chosen button of several, else the first control. */
export const controlIn = (field: ParentNode): HTMLElement | null =>
	field.querySelector<HTMLElement>('input:checked') ??
	field.querySelector<HTMLElement>('input, select, textarea, button');

/**
 * The issues without those about alternatives that were not chosen: about a field that is not on the page, or one that
 * cannot be changed. All of them when nothing else is left.
 */
export function ofShownAlternatives(issues: readonly Issue[], form: ParentNode): readonly Issue[] {
	const concerns = ({ path }: Issue) => {
		const field = fieldAt(form, path);
		if (field === undefined) return true;
		if (field.dataset['fixed'] === 'true') return false;
		return pathOf(field) === path || field.dataset['union'] !== 'true';
	};
	const rest = issues.filter(concerns);
	return rest.length === 0 ? issues : rest;
}
