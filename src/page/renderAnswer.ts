import { jsonText } from '../schema/jsonText';
import type { ClientModel } from './client/clientModel';
import { escapeHtml, jsonBlock } from './escape';
import type { AnswerModel } from './pageModel';

const LONGEST_SCHEMA = 20_000;

/** Where the script puts the form of an answer, the data it reads, and what stands there without a script. */
export function renderAnswer(model: AnswerModel): string {
	const { schema, schemaWarning, parkedAt, deadline } = model;
	const shown = schemaText(schema);
	const client: ClientModel = {
		schema,
		parkedAt,
		...(deadline === undefined ? {} : { deadline }),
		isUnchecked: schemaWarning !== undefined,
	};
	return `${warning(model)}<div id="answer"></div>
<noscript><div class="note"><p><strong>The form needs JavaScript.</strong> Allow scripts for this page and load it again, or answer from a program: send the answer as JSON in a POST to the address of this page.</p>
<pre tabindex="0" aria-label="How to answer with curl">curl -X POST -H 'content-type: application/json' \\
  -d '<em>the answer as JSON</em>' '<em>the address of this page</em>'</pre>
<p class="small">${shown === undefined ? 'Any JSON value is an answer.' : 'The answer must fit the JSON Schema below.'} Opening this page has changed nothing, and nothing has been sent.</p></div></noscript>
${
	shown === undefined
		? ''
		: `<details class="expected" data-while-open><summary>What the answer must look like (JSON Schema)</summary>
<pre tabindex="0" role="region" aria-label="JSON Schema of the answer">${escapeHtml(shown)}</pre></details>
`
}<script type="application/json" id="model">${jsonBlock(client)}</script>`;
}

function warning({ schemaWarning }: AnswerModel): string {
	if (schemaWarning === undefined) return '';
	return `<div class="note" data-while-open><p><strong>This answer is not checked before the workflow goes on</strong>, so please look twice.</p><p class="small" dir="auto">${escapeHtml(schemaWarning)}</p></div>
`;
}

/** Undefined for a schema that any answer fits. */
function schemaText(schema: unknown): string | undefined {
	const text = jsonText(schema, 2) ?? '';
	if (text === '' || text === 'true' || text === '{}') return undefined;
	return text.length > LONGEST_SCHEMA ? `${text.slice(0, LONGEST_SCHEMA)}\n…` : text;
}
