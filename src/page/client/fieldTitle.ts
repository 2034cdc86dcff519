import type { FieldPath } from './fieldPath';
import type { FormNode } from './formNode';

/** What a field is called: its title, for one of several entries with its number. */
export function fieldTitle({ title, numbered }: FormNode, path: FieldPath): string {
	const step = path.at(-1);
	if (step === undefined) return title ?? 'Your answer';
	if (typeof step === 'string') return title ?? 'Value';
	return title !== undefined && numbered !== true
		? title
		: `${title ?? 'Entry'} ${String(step + 1)}`;
}
