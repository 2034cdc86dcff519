import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { FormNode } from './formNode';
import { type FieldPath, jsonPathOf } from './fieldPath';
import type { FormSchema } from './formSchema';

/** What every field of the form can see, whatever the form library hands on. */
export interface FormContext {
	readonly form: FormSchema;
	readonly root: unknown;
	/** What is wrong, by the JSON path of a field that is shown. */
	readonly problems: ReadonlyMap<string, readonly string[]>;
	/** Fields whose text is not a value yet, by element id; they keep the answer from being sent. */
	readonly unreadable: Map<string, string>;
	readonly clearProblem: (path: string) => void;
}

const context = createContext<FormContext | undefined>(undefined);

export const FormContextProvider = context.Provider;

export function useForm(): FormContext {
	const value = useContext(context);
	if (value === undefined) throw new Error('A field stands outside of the form.');
	return value;
}

/** The JSON path of a field and what is wrong there. */
export function useField(path: FieldPath): {
	readonly jsonPath: string;
	readonly messages: readonly string[];
} {
	const { form, problems } = useForm();
	const jsonPath = jsonPathOf(path, form.names);
	return { jsonPath, messages: problems.get(jsonPath) ?? [] };
}

/** The library hands each field its part of the schema that `toFormSchema` made. */
export const nodeOf = (schema: object): FormNode => schema;
