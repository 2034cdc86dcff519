import type { JSX, RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { describedBy, type Frame, LabelledField } from './FieldFrame';
import type { Leaf } from './formNode';
import { toLocalInput } from './localTime';
import { readInstant, type Reading, readJson, readNumber, readText } from './readText';

type TextLeaf = Exclude<Leaf, { readonly kind: 'choice' | 'choices' | 'fixed' }>;

interface TextInputProps {
	readonly frame: Frame;
	readonly leaf: TextLeaf;
	/** The value to begin with; afterwards the text in the field is what counts. */
	readonly value: unknown;
	readonly onRead: (reading: Reading) => void;
}

/** A field to type in. Its text stays as it was typed, a value or not. */
export function TextInput({ frame, leaf, value, onRead }: TextInputProps) {
	const input = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
	// The text of a field is set once: text that is not a value yet must not be taken from under the reader's hands.
	useLayoutEffect(() => {
		if (input.current !== null) input.current.value = textOf(leaf, value);
	}, []);
	const read = () => {
		if (input.current !== null) onRead(readingOf(leaf, input.current));
	};
	const attributes = {
		id: frame.id,
		'aria-describedby': describedBy(frame),
		'aria-required': frame.isRequired,
		'aria-invalid': frame.messages.length > 0,
		autocomplete: 'off',
		onInput: read,
	} as const;
	return (
		<LabelledField frame={{ ...frame, hint: frame.hint ?? hintOf(leaf) }}>
			{control(
				leaf,
				{ ...attributes, 'aria-describedby': describedBy({ ...frame, hint: hintOf(leaf) }) },
				input,
			)}
		</LabelledField>
	);
}

function control(
	leaf: TextLeaf,
	attributes: object,
	ref: RefObject<(HTMLInputElement & HTMLTextAreaElement) | null>,
): JSX.Element {
	switch (leaf.kind) {
		case 'long':
			return <textarea {...attributes} ref={ref} rows={4} dir="auto" />;
		case 'json':
			return (
				<textarea
					{...attributes}
					ref={ref}
					class="code"
					rows={4}
					spellcheck={false}
					autocapitalize="off"
				/>
			);
		case 'number':
		case 'integer':
			return (
				<input
					{...attributes}
					ref={ref}
					class="short"
					type="number"
					inputMode={leaf.kind === 'integer' ? 'numeric' : 'decimal'}
					step={leaf.step ?? (leaf.kind === 'integer' ? 1 : 'any')}
					min={leaf.minimum}
					max={leaf.maximum}
					// A wheel over the page must not change an amount.
					onWheel={(event) => event.currentTarget.blur()}
				/>
			);
		case 'email':
			return (
				<input {...attributes} ref={ref} type="email" autocapitalize="off" spellcheck={false} />
			);
		case 'url':
			return <input {...attributes} ref={ref} type="url" autocapitalize="off" spellcheck={false} />;
		case 'password':
			return <input {...attributes} ref={ref} type="password" autocomplete="new-password" />;
		case 'date':
			return <input {...attributes} ref={ref} class="short" type="date" />;
		case 'date-time':
			return <input {...attributes} ref={ref} class="short" type="datetime-local" />;
		case 'time':
		case 'text':
			return <input {...attributes} ref={ref} type="text" dir="auto" />;
	}
}

function readingOf(
	leaf: TextLeaf,
	{ value, validity }: HTMLInputElement & HTMLTextAreaElement,
): Reading {
	switch (leaf.kind) {
		case 'number':
		case 'integer':
			return readNumber(value, validity.badInput, leaf.kind === 'integer');
		case 'date-time':
			return readInstant(value, validity.badInput);
		case 'json':
			return readJson(value);
		default:
			return readText(value, validity.badInput);
	}
}

function textOf(leaf: TextLeaf, value: unknown): string {
	if (value === undefined || value === null)
		return leaf.kind === 'json' && value === null ? 'null' : '';
	if (leaf.kind === 'json') return JSON.stringify(value, null, 2);
	if (leaf.kind === 'date-time') return toLocalInput(value);
	return typeof value === 'string' || typeof value === 'number'
		? String(value)
		: JSON.stringify(value);
}

function hintOf(leaf: TextLeaf): string | undefined {
	switch (leaf.kind) {
		case 'date-time':
			return 'In your own time zone.';
		case 'time':
			return 'Such as 09:30:00Z or 09:30:00+02:00.';
		case 'json':
			return leaf.expects === 'object'
				? 'A JSON object, such as { "key": "value" }.'
				: leaf.expects === 'array'
					? 'A JSON list, such as [1, 2].'
					: 'JSON: text stands in double quotes.';
		default:
			return undefined;
	}
}
