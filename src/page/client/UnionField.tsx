import type { FieldProps } from '@rjsf/utils';
import { useState } from 'preact/hooks';
import { isPlainObject } from '../../json/plainObject';
import { Choice } from './Choice';
import { fits } from './fits';
import { nodeOf, useForm } from './formContext';
import { librarySchema } from './librarySchema';
import { follow, proposedValue } from './proposedValue';
import { OptionalPart } from './OptionalPart';

/** Alternatives: the reader says which it is, and only then its fields are shown. */
export function UnionField(props: FieldProps<unknown>) {
	const node = nodeOf(props.schema);
	const isLeftOut =
		node.optional === true && (props.formData === undefined || props.formData === null);
	// The object's own fields stand above, and say whether it is there at all.
	if (node.properties !== undefined) return isLeftOut ? null : <Alternatives {...props} />;
	return (
		<OptionalPart field={props}>
			<Alternatives {...props} />
		</OptionalPart>
	);
}

function Alternatives(props: FieldProps<unknown>) {
	const { schema, formData, onChange, fieldPathId, registry } = props;
	const node = nodeOf(schema);
	const { form, root } = useForm();
	const options = node.oneOf ?? node.anyOf ?? [];
	const [chosen, choose] = useState(() => {
		const value = form.names.decode(formData);
		const fitting = options.findIndex(
			({ test }) => test !== undefined && fits(form.tests[test], value, root),
		);
		return Math.max(0, fitting);
	});
	const option = options[chosen];
	const { SchemaField } = registry.fields;
	const pick = (next: unknown) => {
		const index = Number(next);
		const picked = options[index];
		if (picked === undefined) return;
		choose(index);
		const proposed = proposedValue(picked, form.schema);
		onChange(
			isPlainObject(proposed) ? { ...shared(node.properties, formData), ...proposed } : proposed,
			fieldPathId.path,
		);
	};
	if (option === undefined || SchemaField === undefined) return null;
	const isObject = follow(option, form.schema).type === 'object';
	const { title: _, ...untitled } = option;
	return (
		<div class="union">
			<Choice
				frame={{
					id: `${fieldPathId.$id}-which`,
					label: node.title ?? 'Which one',
					description: node.description,
					isRequired: true,
					messages: [],
				}}
				options={options.map((entry, index) => ({
					value: index,
					label: entry.title ?? `Option ${String(index + 1)}`,
				}))}
				value={chosen}
				onChange={pick}
			/>
			<SchemaField
				key={chosen}
				{...props}
				schema={librarySchema(isObject ? { ...untitled, title: '' } : option)}
			/>
		</div>
	);
}

/** What belongs to every alternative stays when another one is chosen. */
function shared(properties: object | undefined, value: unknown): object {
	if (properties === undefined || !isPlainObject(value)) return {};
	return Object.fromEntries(
		Object.entries(value).filter(([name]) => Object.hasOwn(properties, name)),
	);
}
