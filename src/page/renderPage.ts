import { clientScript } from './clientScript';
import { escapeHtml, isolated } from './escape';
import { timeElement, utcText } from './instantText';
import type { AnswerModel, PageModel } from './pageModel';
import { renderForm } from './renderForm';
import { renderList } from './renderList';
import { style } from './style';

export { pageHeaders } from './pageHeaders';
export type { PageModel } from './pageModel';

/** A reason up to this length is the page's heading. */
const HEADING_LENGTH = 110;
const SCROLLING_LENGTH = 1500;

/**
 * The resume page as one self-contained HTML document (R8), to be sent with `pageHeaders` of the same nonce.
 * Everything from the server is text: it cannot add markup, run script, or turn the writing direction around it.
 */
export function renderPage(model: PageModel, nonce: string): string {
	const safeNonce = escapeHtml(nonce);
	return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta name="robots" content="noindex">
<link rel="icon" href="data:,">
<title>${escapeHtml(titleOf(model))}</title>
<style nonce="${safeNonce}">${style}</style>
</head>
<body>
<main>
<article class="card">
${bodyOf(model)}
</article>
${footOf(model)}
</main>
<script nonce="${safeNonce}">${clientScript}</script>
</body>
</html>
`;
}

function footOf({ kind }: PageModel): string {
	if (kind === 'problem') return '';
	const keep = kind === 'sleep' ? '' : ' Keep its address to yourself: whoever has it can answer.';
	return `<p class="foot">Opening this page changes nothing.${keep}</p>`;
}

function titleOf(model: PageModel): string {
	switch (model.kind) {
		case 'person':
			return `Your answer is needed: ${model.tool}`;
		case 'signal':
			return `Waiting for a signal: ${model.tool}`;
		case 'sleep':
			return `Sleeping: ${model.tool}`;
		case 'list':
			return 'Several answers are awaited';
		case 'problem':
			return model.title;
	}
}

function bodyOf(model: PageModel): string {
	switch (model.kind) {
		case 'person':
			return `${eyebrow('A workflow is waiting for your answer')}
${reasonOf(model, 'Your answer is needed')}
${factsOf(model, deadlineOf(model))}
${renderForm(model)}`;
		case 'signal':
			return `${eyebrow('A workflow is waiting for another system')}
${reasonOf(model, 'An answer is awaited')}
<p class="lead">Another system answers this by itself; there is nothing for you to do. The workflow goes on as soon as its answer is in.</p>
${factsOf(model, deadlineOf(model))}
<details id="operator"><summary>Answer by hand, in that system’s place</summary>
<p class="help">For operators: use this when the other system cannot answer. The first answer counts; a later one is turned away.</p>
${renderForm(model)}</details>`;
		case 'sleep':
			return `${eyebrow('A workflow is asleep')}
<h1>It goes on <span class="nowrap">${timeElement(model.until)}</span></h1>
<p class="lead">There is nothing to do. The workflow wakes by itself<span id="remaining" data-until="${escapeHtml(model.until)}"></span>.</p>
${factsOf(model, `<div><dt>In UTC</dt><dd>${escapeHtml(utcText(model.until))}</dd></div>`)}`;
		case 'list':
			return `${eyebrow('A workflow is waiting for several answers')}
${renderList(model)}`;
		case 'problem':
			return `<h1 dir="auto">${escapeHtml(model.title)}</h1>
<p class="lead" dir="auto">${escapeHtml(model.message)}</p>`;
	}
}

const eyebrow = (text: string) => `<p class="eyebrow" id="eyebrow">${text}</p>`;

function reasonOf({ reason }: AnswerModel, heading: string): string {
	if (reason.length <= HEADING_LENGTH && !reason.includes('\n')) {
		return `<h1 dir="auto">${escapeHtml(reason)}</h1>`;
	}
	const scrolling =
		reason.length > SCROLLING_LENGTH
			? ' class="reason scrolling" tabindex="0" role="region" aria-label="Reason"'
			: ' class="reason"';
	return `<h1>${heading}</h1>
<div${scrolling} dir="auto">${escapeHtml(reason)}</div>`;
}

const deadlineOf = ({ deadline }: AnswerModel): string =>
	deadline === undefined ? '' : `<div><dt>Answer by</dt><dd>${timeElement(deadline)}</dd></div>`;

function factsOf(
	{ tool, serverName, workflowName, parkedAt }: Exclude<PageModel, { kind: 'problem' | 'list' }>,
	more = '',
): string {
	const server = serverName === undefined ? '' : ` on ${isolated(serverName)}`;
	return `<dl class="facts">${more}
<div><dt>Asked by</dt><dd><code>${isolated(tool)}</code>${server}</dd></div>
${workflowName === undefined ? '' : `<div><dt>Workflow</dt><dd>${isolated(workflowName)}</dd></div>`}
<div><dt>Waiting since</dt><dd>${timeElement(parkedAt)}</dd></div>
</dl>`;
}
