import { footWords, type Use } from './client/footWords';
import { escapeHtml, isolated } from './escape';
import { timeElement, utcText } from './instantText';
import type { Origin, PageModel } from './pageModel';
import { renderAnswer } from './renderAnswer';
import { isOpen, renderList } from './renderList';
import { style } from './style';

/** A reason up to this length is the page's heading. */
const HEADING_LENGTH = 110;
const SCROLLING_LENGTH = 1500;

/** What a response needs besides the model. */
export interface PageParts {
	/** Fresh for each response, and the same in `pageHeaders`. */
	readonly nonce: string;
	/** The bundle of `client/`. */
	readonly script: string;
}

/**
 * The resume page as one self-contained HTML document (R8), to be sent with `pageHeaders` of the same nonce.
 * Everything from the server is text: it cannot add markup, run script, or turn the writing direction around it.
 */
export function renderPage(model: PageModel, { nonce, script }: PageParts): string {
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
<script nonce="${safeNonce}">${script}</script>
</body>
</html>
`;
}

function footOf(model: PageModel): string {
	if (model.kind === 'problem') return '';
	return `<p class="foot" id="foot">${footWords(useOf(model))}</p>`;
}

function useOf(model: Exclude<PageModel, { readonly kind: 'problem' }>): Use {
	switch (model.kind) {
		case 'person':
		case 'signal':
			return 'answer';
		case 'list':
			return model.items.some(isOpen) ? 'answer' : 'none';
		case 'sleep':
		case 'woke':
		case 'answered':
			return model.listHref === undefined ? 'none' : 'others';
		case 'expired':
			return 'none';
	}
}

function titleOf(model: PageModel): string {
	switch (model.kind) {
		case 'person':
			return `Your answer is needed: ${model.tool}`;
		case 'signal':
			return `Waiting for a signal: ${model.tool}`;
		case 'sleep':
			return `Sleeping: ${model.tool}`;
		case 'woke':
			return `Awake: ${model.tool}`;
		case 'answered':
			return `Answered already: ${model.tool}`;
		case 'expired':
			return `The time is over: ${model.tool}`;
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
${reasonOf(model.reason, 'Your answer is needed')}
${factsOf(model, deadlineFact(model.deadline))}
${renderAnswer(model)}`;
		case 'signal':
			return `${eyebrow('A workflow is waiting for another system')}
${reasonOf(model.reason, 'An answer is awaited')}
<p class="lead" data-while-open>Another system answers this by itself; there is nothing for you to do. The workflow goes on as soon as its answer is in.</p>
${factsOf(model, deadlineFact(model.deadline))}
<details id="operator"><summary>Answer by hand, in that system’s place</summary>
<p class="help" data-while-open>For operators: use this when the other system cannot answer. The first answer counts; a later one is turned away.</p>
${renderAnswer(model)}</details>`;
		case 'sleep':
			return `${eyebrow('A workflow is asleep')}
<h1>It goes on <span class="nowrap">${timeElement(model.until)}</span></h1>
<p class="lead">There is nothing to do. The workflow wakes by itself<span data-until="${escapeHtml(model.until)}" data-passed=" any moment now"></span>.</p>
${factsOf(model, fact('In UTC', escapeHtml(utcText(model.until))))}`;
		case 'woke':
			return `${eyebrow('This sleep is over', 'over')}
<h1>It woke <span class="nowrap">${timeElement(model.until)}</span></h1>
<p class="lead">There is nothing to do here. The workflow goes on as soon as the other items that it waits for are answered.</p>
${factsOf(model)}`;
		case 'answered':
			return `${eyebrow('Answered already', 'over')}
${reasonOf(model.reason, 'This was answered')}
<p class="lead">This was answered ${timeElement(model.answeredAt)}. The first answer stands; there is nothing left to do here.</p>
${factsOf(model)}`;
		case 'expired':
			return `${eyebrow('The time for this answer is over', 'over')}
${reasonOf(model.reason, 'No answer is taken any more')}
<p class="lead">An answer was awaited until ${timeElement(model.deadline)}; none is taken any more. If it still matters, ask the person who sent you this page.</p>
${factsOf(model)}`;
		case 'list':
			return `${eyebrow('A workflow is waiting for several answers')}
${renderList(model)}`;
		case 'problem':
			return `<h1 dir="auto">${escapeHtml(model.title)}</h1>
<p class="lead" dir="auto">${escapeHtml(model.message)}</p>`;
	}
}

const eyebrow = (text: string, state: 'open' | 'over' = 'open') =>
	`<p class="eyebrow ${state}" id="eyebrow">${text}</p>`;

function reasonOf(reason: string, heading: string): string {
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

const fact = (name: string, html: string) => `<div><dt>${name}</dt><dd>${html}</dd></div>\n`;

/** The deadline; once there is an answer it no longer matters. */
const deadlineFact = (deadline: string | undefined) =>
	deadline === undefined
		? ''
		: `<div data-while-open><dt>Answer by</dt><dd>${timeElement(deadline)}<span data-until="${escapeHtml(deadline)}" data-passed=" (over)"></span></dd></div>
`;

function factsOf(origin: Origin, more = ''): string {
	const { tool, serverName, workflowName, parkedAt, listHref } = origin;
	const server = serverName === undefined ? '' : ` on ${isolated(serverName)}`;
	const workflow = workflowName === undefined ? '' : fact('Workflow', isolated(workflowName));
	const list =
		listHref === undefined
			? ''
			: fact(
					'Beside it',
					`<a href="${escapeHtml(listHref)}">Everything that waits in this run</a>`,
				);
	return `<dl class="facts">${more}${fact('Asked by', `<code>${isolated(tool)}</code>${server}`)}${workflow}${fact('Waiting since', timeElement(parkedAt))}${list}</dl>`;
}
