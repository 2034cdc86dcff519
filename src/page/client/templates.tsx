import {
	ADDITIONAL_PROPERTY_FLAG,
	type ArrayFieldItemTemplateProps,
	type ArrayFieldTemplateProps,
	type FieldTemplateProps,
	type ObjectFieldTemplateProps,
	type UnsupportedFieldProps,
} from '@rjsf/utils';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Help, LabelText, Problem } from './FieldFrame';
import { fieldTitle } from './fieldTitle';
import { nodeOf, useField, useForm } from './formContext';

/** Marks where a field stands, and carries what is wrong with a value that has parts. */
export function FieldTemplate({
	children,
	fieldPathId,
	schema,
	required = false,
	...rest
}: FieldTemplateProps<unknown>) {
	const node = nodeOf(schema);
	const { form } = useForm();
	const { jsonPath, messages } = useField(fieldPathId.path);
	const isLeaf = node.leaf !== undefined;
	const isUnion = node.oneOf !== undefined || node.anyOf !== undefined;
	const alias = ADDITIONAL_PROPERTY_FLAG in schema ? String(fieldPathId.path.at(-1)) : undefined;
	const label =
		alias !== undefined
			? (form.names.nameOf(alias) ?? '')
			: node.title === ''
				? ''
				: fieldTitle(node, fieldPathId.path);
	return (
		<div
			class="part"
			data-path={jsonPath}
			data-id={fieldPathId.$id}
			data-steps={JSON.stringify(fieldPathId.path)}
			data-leaf={isLeaf}
			data-union={isUnion}
			data-fixed={node.leaf?.kind === 'fixed'}
			data-null={required && node.nullable === true}
			data-label={label}
		>
			{alias !== undefined && (
				<NameInput
					id={fieldPathId.$id}
					alias={alias}
					onRename={rest.onKeyRename}
					onRemove={rest.onRemoveProperty}
				/>
			)}
			{children}
			{!isLeaf && !isUnion && fieldPathId.path.length > 0 && (
				<Problem id={fieldPathId.$id} messages={messages} />
			)}
		</div>
	);
}

/** The name of a property that the reader added. */
function NameInput({
	id,
	alias,
	onRename,
	onRemove,
}: {
	readonly id: string;
	readonly alias: string;
	readonly onRename: (name: string) => void;
	readonly onRemove: () => void;
}) {
	const { form, unreadable } = useForm();
	const name = form.names.nameOf(alias);
	const nameId = `${id}-name`;
	const input = useRef<HTMLInputElement>(null);
	const [isEmpty, setEmpty] = useState(name === undefined);
	useEffect(() => {
		if (name === undefined) unreadable.set(nameId, 'Give it a name that is not used yet.');
		else unreadable.delete(nameId);
		return () => {
			unreadable.delete(nameId);
		};
	}, [nameId, name]);
	return (
		<div class="field named">
			<label for={nameId}>Name</label>
			<div class="row">
				<input
					ref={input}
					id={nameId}
					type="text"
					dir="auto"
					autocomplete="off"
					aria-required
					defaultValue={isEmpty ? '' : (name ?? '')}
					onBlur={(event) => {
						const text = event.currentTarget.value;
						if (text === '' && name === undefined) return;
						setEmpty(false);
						onRename(form.names.alias(text));
					}}
				/>
				<button type="button" class="small-button" onClick={onRemove}>
					Remove<span class="visually-hidden"> {name ?? 'this entry'}</span>
				</button>
			</div>
		</div>
	);
}

export function ObjectTemplate({
	properties,
	schema,
	fieldPathId,
	required = false,
	onAddProperty,
	formData,
}: ObjectFieldTemplateProps<unknown>) {
	const node = nodeOf(schema);
	const step = fieldPathId.path.at(-1);
	const isRoot = step === undefined;
	const id = fieldPathId.$id;
	const title = node.title === '' ? undefined : fieldTitle(node, fieldPathId.path);
	const canAdd = node.additionalProperties !== undefined && node.additionalProperties !== false;
	const isUnion = node.oneOf !== undefined || node.anyOf !== undefined;
	// The alternatives stand beside it and show all there is.
	if (isUnion && properties.length === 0 && !canAdd) return null;
	const content = (
		<>
			{properties.map((property) => property.content)}
			{properties.length === 0 &&
				!canAdd &&
				node.oneOf === undefined &&
				node.anyOf === undefined && <p class="help">Nothing to fill in.</p>}
			{canAdd && (
				<button type="button" class="small-button" onClick={onAddProperty}>
					Add an entry<span class="visually-hidden"> to {title ?? 'the answer'}</span>
				</button>
			)}
		</>
	);
	if (isRoot) {
		return (
			<div class="parts">
				{node.title !== undefined && <h2 dir="auto">{node.title}</h2>}
				<Help id={id} description={node.description} />
				{content}
			</div>
		);
	}
	if (title === undefined) return <div class="parts">{content}</div>;
	return (
		<fieldset
			class="group"
			aria-describedby={node.description === undefined ? undefined : `${id}-help`}
			data-empty={formData === undefined}
		>
			<legend>
				<LabelText label={title} isRequired={required && typeof step !== 'number'} />
			</legend>
			<Help id={id} description={node.description} />
			{content}
		</fieldset>
	);
}

export function ArrayTemplate({
	items,
	canAdd,
	onAddClick,
	schema,
	fieldPathId,
	required = false,
}: ArrayFieldTemplateProps<unknown>) {
	const node = nodeOf(schema);
	const id = fieldPathId.$id;
	const step = fieldPathId.path.at(-1);
	const shown = fieldTitle(node, fieldPathId.path);
	return (
		<fieldset
			class="group"
			aria-describedby={node.description === undefined ? undefined : `${id}-help`}
		>
			<legend>
				<LabelText label={shown} isRequired={required && step !== undefined} />
			</legend>
			<Help id={id} description={node.description} />
			{items.length === 0 && <p class="help">No entries yet.</p>}
			<div class="entries">{items}</div>
			{canAdd && (
				<button type="button" class="small-button" onClick={onAddClick}>
					Add an entry<span class="visually-hidden"> to {shown}</span>
				</button>
			)}
		</fieldset>
	);
}

export const ArrayItemTemplate = ({
	children,
	buttonsProps,
	index,
	hasToolbar,
}: ArrayFieldItemTemplateProps<unknown>) => (
	<div class="entry">
		{children}
		{hasToolbar && buttonsProps.hasRemove && (
			<button type="button" class="small-button" onClick={buttonsProps.onRemoveItem}>
				Remove<span class="visually-hidden"> entry {index + 1}</span>
			</button>
		)}
	</div>
);

/** Where the library gives up, which `toFormSchema` leaves it no cause to. */
export const UnsupportedTemplate = (_props: UnsupportedFieldProps<unknown>) => (
	<p class="help">This part cannot be shown as a form. Use “Write JSON instead”.</p>
);

export const Nothing = () => null;
