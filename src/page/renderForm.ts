import { jsonText } from '../schema/jsonText';
import { escapeHtml, jsonBlock } from './escape';
import { fieldLabel } from './fieldLabel';
import type { AnswerModel } from './pageModel';
import { renderField } from './renderField';

const LONGEST_SCHEMA = 20_000;

/** The form of an answer: fields where the schema allows them, always a JSON box, and the data that the script reads. */
export function renderForm(model: AnswerModel): string {
	const { form } = model;
	const hasFields = form.kind === 'fields';
	const anyRequired = hasFields && form.fields.some((field) => field.required);
	const fields = !hasFields
		? ''
		: `<div id="fields">
${anyRequired ? '<p class="legend">Fields marked <span class="mark">*</span> need an answer.</p>' : ''}
${form.fields.length === 0 ? '<p class="legend">Nothing to fill in: sending lets the workflow go on.</p>' : ''}
${form.fields.map(renderField).join('\n')}
</div>`;
	return `<form id="answer" novalidate autocomplete="off">
<noscript><p class="alert">This page needs JavaScript to send an answer. Nothing has been sent. Allow scripts for this page and load it again.</p></noscript>
${warning(model)}<div id="summary" class="alert" role="alert" tabindex="-1" hidden></div>
${fields}
<div id="json"${hasFields ? ' hidden' : ''}>
<div class="field" data-path="$">
<label for="json-box">${hasFields ? 'Answer as JSON' : 'Your answer, as JSON'}</label>
<p class="help" id="json-help">Text stands in double quotes: &quot;like this&quot;. Yes and no are true and false.</p>
<textarea id="json-box" class="code" rows="8" spellcheck="false" autocapitalize="off" aria-describedby="json-help json-problem" aria-required="true"></textarea>
<p class="problem" id="json-problem" hidden></p>
</div>
${expectedForm(model.schema)}</div>
<div class="actions">
<button type="submit" id="send">Send answer</button>
${hasFields ? '<button type="button" id="swap" class="quiet">Write JSON instead</button>' : ''}
</div>
<p id="progress" class="visually-hidden" role="status"></p>
</form>
<script type="application/json" id="model">${jsonBlock(clientModel(model))}</script>`;
}

/** `parkedAt` tells the endpoint which park the page showed: all parks of an execution share one address. */
function clientModel({ form, parkedAt }: AnswerModel) {
	if (form.kind === 'json') return { parkedAt, fields: [] };
	return { parkedAt, fields: form.fields.map((field) => ({ ...field, label: fieldLabel(field) })) };
}

function warning({ schemaWarning }: AnswerModel): string {
	if (schemaWarning === undefined) return '';
	return `<div class="note"><p><strong>This answer is not checked before the workflow goes on</strong>, so please look twice.</p><p class="small" dir="auto">${escapeHtml(schemaWarning)}</p></div>`;
}

function expectedForm(schema: unknown): string {
	const text = jsonText(schema, 2) ?? '';
	if (text === '' || text === 'true' || text === '{}') return '';
	const shown = text.length > LONGEST_SCHEMA ? `${text.slice(0, LONGEST_SCHEMA)}\n…` : text;
	return `<details class="expected"><summary>What the answer must look like (JSON Schema)</summary>
<pre tabindex="0" aria-label="JSON Schema of the answer">${escapeHtml(shown)}</pre></details>
`;
}
