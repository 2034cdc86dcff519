import Form, { getDefaultRegistry } from '@rjsf/core';
import {
	englishStringTranslator,
	type Field,
	type FieldProps,
	RJSF_REF_CYCLE_KEY,
	TranslatableString,
	type ValidatorType,
} from '@rjsf/utils';
import { useMemo } from 'preact/hooks';
import { fits } from './fits';
import { nodeOf, useForm } from './formContext';
import { LeafField } from './LeafField';
import { librarySchema } from './librarySchema';
import { OptionalPart } from './OptionalPart';
import {
	ArrayItemTemplate,
	ArrayTemplate,
	FieldTemplate,
	Nothing,
	ObjectTemplate,
	UnsupportedTemplate,
} from './templates';
import { UnionField } from './UnionField';

const LibraryObject = libraryField('ObjectField');
const LibraryArray = libraryField('ArrayField');
const LibraryCycle = libraryField('CyclicSchemaField');

function libraryField(name: string): Field {
	const field = getDefaultRegistry().fields[name];
	if (field === undefined) throw new Error(`The form library has no ${name}.`);
	return field;
}

const fields = {
	StringField: LeafField,
	ObjectField: (props: FieldProps) => (
		<OptionalPart field={props}>
			<LibraryObject {...props} />
		</OptionalPart>
	),
	ArrayField: (props: FieldProps) => (
		<OptionalPart field={props}>
			<LibraryArray {...props} />
		</OptionalPart>
	),
	/** A cycle ends where a part is left out or a list is empty; only one that demands itself needs the library's stop. */
	CyclicSchemaField: (props: FieldProps) => {
		const { SchemaField } = props.registry.fields;
		const isAsked = typeof props.fieldPathId.path.at(-1) === 'number';
		const ends = isAsked || nodeOf(props.schema).optional === true;
		return ends && SchemaField !== undefined ? (
			<SchemaField {...props} schema={{ ...props.schema, [RJSF_REF_CYCLE_KEY]: false }} />
		) : (
			<LibraryCycle {...props} />
		);
	},
	OneOfField: UnionField,
	AnyOfField: UnionField,
};

const templates = {
	FieldTemplate,
	ObjectFieldTemplate: ObjectTemplate,
	ArrayFieldTemplate: ArrayTemplate,
	ArrayFieldItemTemplate: ArrayItemTemplate,
	UnsupportedFieldTemplate: UnsupportedTemplate,
	ErrorListTemplate: Nothing,
	FieldErrorTemplate: Nothing,
	FieldHelpTemplate: Nothing,
};

/** The form library over a schema that `toFormSchema` made. It checks nothing: the server does. */
export function SchemaForm({
	value,
	onChange,
}: {
	readonly value: unknown;
	readonly onChange: (value: unknown) => void;
}) {
	const { form, root } = useForm();
	const validator = useMemo<ValidatorType>(
		() => ({
			isValid: (schema, data) => {
				const { test } = nodeOf(schema);
				return test === undefined || fits(form.tests[test], form.names.decode(data ?? {}), root);
			},
			validateFormData: () => ({ errors: [], errorSchema: {} }),
			rawValidation: () => ({}),
		}),
		[form, root],
	);
	const schema = useMemo(() => librarySchema(form.schema), [form]);
	return (
		<Form
			tagName="div"
			schema={schema}
			formData={value}
			validator={validator}
			fields={fields}
			templates={templates}
			uiSchema={UI}
			noHtml5Validate
			experimental_defaultFormStateBehavior={NO_DEFAULTS}
			translateString={translate}
			onChange={(event) => onChange(event.formData)}
		>
			<></>
		</Form>
	);
}

/** A property that the reader adds begins empty. */
const translate: typeof englishStringTranslator = (text, params) =>
	text === TranslatableString.NewStringDefault ? '' : englishStringTranslator(text, params);

const UI = { 'ui:globalOptions': { orderable: false, copyable: false } };
const NO_DEFAULTS = {
	emptyObjectFields: 'skipDefaults',
	constAsDefaults: 'never',
	allOf: 'skipDefaults',
	arrayMinItems: { populate: 'never' },
	mergeDefaultsIntoFormData: 'useFormDataIfPresent',
} as const;
