import { ADDITIONAL_PROPERTY_FLAG, type FieldProps } from '@rjsf/utils';
import { useEffect } from 'preact/hooks';
import { Choice, Choices } from './Choice';
import { ChoiceField, type Frame } from './FieldFrame';
import { fieldTitle } from './fieldTitle';
import { nodeOf, useField, useForm } from './formContext';
import type { Reading } from './readText';
import { shownText } from './shownText';
import { TextInput } from './TextInput';

/** A value without parts: takes the place of the library's string field. */
export function LeafField({
	schema,
	formData,
	onChange,
	required = false,
	fieldPathId,
}: FieldProps<unknown>) {
	const node = nodeOf(schema);
	const { form, unreadable, clearProblem } = useForm();
	const { jsonPath, messages } = useField(fieldPathId.path);
	const id = fieldPathId.$id;
	const step = fieldPathId.path.at(-1);
	const leaf = node.leaf ?? { kind: 'json', expects: 'any' };
	const isAdded = ADDITIONAL_PROPERTY_FLAG in schema;
	const isText = leaf.kind === 'text' || leaf.kind === 'long';
	// What is added is there; it cannot be left empty. The library writes an empty text for a property without a value.
	const isEntry = typeof step === 'number' || (isAdded && !isText);
	const value: unknown = isAdded && !isText && formData === '' ? undefined : formData;

	const give = (next: unknown) => {
		unreadable.delete(id);
		if (next === undefined && isEntry) unreadable.set(id, 'This needs an answer.');
		if (messages.length > 0) clearProblem(jsonPath);
		onChange(form.names.encode(next), fieldPathId.path);
	};
	const take = (reading: Reading) => {
		if (reading.kind === 'unreadable') {
			give(undefined);
			unreadable.set(id, reading.message);
		} else give(reading.kind === 'value' ? reading.value : undefined);
	};

	// A field that comes up later proposes its default; those that are there at the start have it already.
	useEffect(() => {
		if (value === undefined && node.proposal !== undefined)
			onChange(node.proposal, fieldPathId.path);
	}, []);
	// An entry that is there must be filled; its id changes when one before it is removed.
	useEffect(() => {
		const isEmpty = value === undefined && node.proposal === undefined;
		if (isEmpty && isEntry) unreadable.set(id, 'This needs an answer.');
		return () => {
			unreadable.delete(id);
		};
	}, [id]);

	const frame: Frame = {
		id,
		label: fieldTitle(node, fieldPathId.path),
		description: node.description,
		isRequired: required && node.nullable !== true,
		messages,
	};
	switch (leaf.kind) {
		case 'choice':
			return (
				<Choice
					frame={frame}
					options={leaf.options}
					value={value}
					onChange={(next) => give(form.names.decode(next))}
				/>
			);
		case 'choices':
			return (
				<Choices
					frame={frame}
					options={leaf.options}
					value={value}
					onChange={(next) => give(form.names.decode(next))}
				/>
			);
		case 'fixed':
			return (
				<ChoiceField frame={{ ...frame, isRequired: false }} isSingle={false}>
					<p class="fixed" dir="auto">
						{shownText(form.names.decode(leaf.value))}
					</p>
				</ChoiceField>
			);
		default:
			return (
				<TextInput
					key={id}
					frame={frame}
					leaf={leaf}
					value={form.names.decode(value === undefined ? node.proposal : value)}
					onRead={take}
				/>
			);
	}
}
