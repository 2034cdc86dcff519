import type { JsonType } from './typesOf';

/** What a form over a JSON Schema needs to know. */

export type FieldValue = string | number | boolean | null;

export type FormField = {
	/** Property name, as the schema has it. */
	readonly name: string;
	readonly title: string;
	readonly description?: string;
	readonly required: boolean;
	/** The schema's default, whatever its type. */
	readonly default?: unknown;
	/** Null is an allowed value, so that a required field left empty can be sent as null. */
	readonly nullable?: true;
} & (
	| { readonly kind: 'string'; readonly format?: string; readonly multiline: boolean }
	| { readonly kind: 'number' }
	| { readonly kind: 'integer' }
	| { readonly kind: 'boolean' }
	| { readonly kind: 'enum'; readonly options: readonly { value: FieldValue; label: string }[] }
	/** Objects, arrays, unions and anything else: entered as JSON of one of these types, of any when absent. */
	| { readonly kind: 'json'; readonly types?: readonly JsonType[] }
);

export type FormModel =
	/** An object schema with properties. `flat` says that no field is `json`. */
	| { readonly kind: 'fields'; readonly fields: readonly FormField[]; readonly flat: boolean }
	/** Anything else: one box for the whole answer. */
	| { readonly kind: 'json' };
