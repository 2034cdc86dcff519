import type { FieldValue, FormField } from '../schema/formModel';
import { propertyPath } from '../schema/jsonPath';
import { jsonText } from '../schema/jsonText';
import { escapeHtml, isolated } from './escape';
import { fieldLabel } from './fieldLabel';

const MAX_RADIOS = 4;

interface Option {
	/** What the script looks the value up by: an index, or a word; empty leaves the field out. */
	readonly key: string;
	readonly label: string;
	readonly chosen: boolean;
}

/** One field of the answer with its label, help and place for a problem; ids come from the index, never from names. */
export function renderField(field: FormField, index: number): string {
	const id = `field-${index}`;
	const data = `data-index="${index}" data-kind="${field.kind}" data-path="${escapeHtml(propertyPath('$', field.name))}"`;
	const help = helpOf(field);
	const described = help === '' ? `${id}-problem` : `${id}-help ${id}-problem`;
	const helpLine =
		help === '' ? '' : `<p class="help" id="${id}-help" dir="auto">${escapeHtml(help)}</p>`;
	const problem = `<p class="problem" id="${id}-problem" hidden></p>`;
	const label = `${isolated(fieldLabel(field))}${field.required ? REQUIRED : ''}`;
	const options = optionsOf(field);
	if (options !== undefined && options.length <= MAX_RADIOS + 1) {
		return `<fieldset class="field" ${data} aria-describedby="${described}"${field.required ? ' role="radiogroup" aria-required="true"' : ''}>
<legend>${label}</legend>${helpLine}
<div class="choices">${options.map((option, at) => radio(option, id, at)).join('')}</div>${problem}</fieldset>`;
	}
	const attributes = `id="${id}" aria-describedby="${described}"${field.required ? ' aria-required="true"' : ''}`;
	const control =
		options === undefined
			? textControl(field, attributes)
			: `<select ${attributes}>${options.map(selectOption).join('')}</select>`;
	return `<div class="field" ${data}>
<label for="${id}">${label}</label>${helpLine}
${control}${problem}</div>`;
}

const REQUIRED = '<span class="mark" aria-hidden="true"> *</span>';

function radio({ key, label, chosen }: Option, id: string, at: number): string {
	return `<label class="choice${key === '' ? ' none' : ''}" for="${id}-${at}"><input type="radio" id="${id}-${at}" name="${id}" value="${key}"${chosen ? ' checked' : ''}><span dir="auto">${escapeHtml(label)}</span></label>`;
}

function selectOption({ key, label, chosen }: Option): string {
	return `<option value="${key}"${chosen ? ' selected' : ''}>${escapeHtml(label)}</option>`;
}

/** The choices of a boolean or an enum; undefined for a field that is typed in. Nothing is chosen unless the schema has a default. */
function optionsOf(field: FormField): readonly Option[] | undefined {
	const choices = choicesOf(field);
	if (choices === undefined) return undefined;
	const listed = choices.map(({ key, label, value }) => {
		return { key, label, chosen: 'default' in field && field.default === value };
	});
	const chosen = listed.some((option) => option.chosen);
	const isOpen = !field.required || field.nullable === true;
	if (isOpen) return [...listed, { key: '', label: 'No answer', chosen: !chosen }];
	return listed.length > MAX_RADIOS
		? [{ key: '', label: 'Choose…', chosen: !chosen }, ...listed]
		: listed;
}

function choicesOf(
	field: FormField,
): readonly { key: string; label: string; value: FieldValue }[] | undefined {
	switch (field.kind) {
		case 'boolean':
			return [
				{ key: 'yes', label: 'Yes', value: true },
				{ key: 'no', label: 'No', value: false },
			];
		case 'enum':
			return field.options.map(({ value, label }, at) => ({ key: String(at), label, value }));
		case 'string':
		case 'number':
		case 'integer':
		case 'json':
			return undefined;
	}
}

function textControl(field: FormField, attributes: string): string {
	const text = presetText(field);
	if (field.kind === 'json') {
		return `<textarea ${attributes} class="code" rows="4" spellcheck="false" autocapitalize="off">\n${escapeHtml(text)}</textarea>`;
	}
	if (field.kind === 'string' && field.multiline) {
		return `<textarea ${attributes} rows="4" dir="auto">\n${escapeHtml(text)}</textarea>`;
	}
	return `<input ${attributes} ${inputType(field)} value="${escapeHtml(text)}" autocomplete="off">`;
}

function inputType(field: FormField): string {
	if (field.kind === 'integer') return 'type="text" inputmode="numeric" class="short"';
	if (field.kind !== 'string') return 'type="text" inputmode="decimal" class="short"';
	switch (field.format) {
		case 'email':
			return 'type="text" inputmode="email" autocapitalize="off" spellcheck="false"';
		case 'uri':
		case 'url':
			return 'type="text" inputmode="url" autocapitalize="off" spellcheck="false"';
		case 'date':
			return 'type="date" class="short"';
		case 'date-time':
			return 'type="datetime-local" step="1" class="short"';
		case 'password':
			return 'type="password"';
		default:
			return 'type="text" dir="auto"';
	}
}

function presetText(field: FormField): string {
	if (!('default' in field)) return '';
	if (field.kind === 'json') return jsonText(field.default, 2) ?? '';
	return typeof field.default === 'string' || typeof field.default === 'number'
		? String(field.default)
		: '';
}

function helpOf(field: FormField): string {
	const own = field.description ?? '';
	const hint = hintOf(field);
	return [own, hint].filter((part) => part !== '').join(own.endsWith('.') ? ' ' : ' · ');
}

function hintOf(field: FormField): string {
	if (field.kind === 'integer') return 'A whole number.';
	if (field.kind === 'string' && field.format === 'date-time') return 'In your own time zone.';
	if (field.kind !== 'json') return '';
	switch (field.expects) {
		case 'object':
			return 'A JSON object, such as { "key": "value" }.';
		case 'array':
			return 'A JSON list, such as [1, 2].';
		case 'any':
			return 'JSON: text stands in double quotes.';
	}
}
