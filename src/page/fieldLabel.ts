import type { FormField } from '../schema/formModel';

const IDENTIFIER = /^[A-Za-z][A-Za-z0-9]*(?:[_-][A-Za-z0-9]+)*$/;

/** The label of a field: its title, or a name such as `payment_id` put into words ("Payment id"). */
export function fieldLabel(field: FormField): string {
	if (field.title !== field.name) return field.title;
	if (field.name === '') return '(no name)';
	if (!IDENTIFIER.test(field.name)) return field.name;
	const words = field.name
		.replace(
			/([a-z0-9])([A-Z])/g,
			(_, before: string, after: string) => `${before} ${after.toLowerCase()}`,
		)
		.replace(/[_-]/g, ' ');
	return words.charAt(0).toUpperCase() + words.slice(1);
}
