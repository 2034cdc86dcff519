import { escapeHtml, isolated } from './escape';
import { timeElement } from './instantText';
import type { ListedItem, PageModel } from './pageModel';

const LONGEST_TEXT = 300;

/** The items of a run that wait, each with its state and the way to its own page. */
export function renderList({
	items,
	workflowName,
	deadline,
}: Extract<PageModel, { readonly kind: 'list' }>): string {
	const open = items.filter(isOpen);
	const count = open.length === 1 ? '1 answer is' : `${String(open.length)} answers are`;
	const workflow = workflowName === undefined ? '' : ` in “${isolated(workflowName)}”`;
	const heading = open.length === 0 ? 'No answer is awaited' : `${count} awaited`;
	const by =
		deadline === undefined || open.length === 0 ? '' : ` Answer by ${timeElement(deadline)}.`;
	return `<h1>${heading}</h1>
<p class="lead">Several items wait${workflow}. Each has a page of its own, and they can be answered in any order. The workflow goes on with the last answer.${by}</p>
<ol class="waiting">
${items.map(renderItem).join('\n')}
</ol>`;
}

/** It takes an answer now. */
export const isOpen = ({ kind, answeredAt, isOver }: ListedItem) =>
	answeredAt === undefined && isOver !== true && kind !== 'sleep';

function renderItem(listed: ListedItem): string {
	const { item, kind, tool, text, href } = listed;
	const shown = text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}…` : text;
	const words =
		kind === 'sleep' ? `Goes on ${timeElement(text)}` : `<bdi>${escapeHtml(shown)}</bdi>`;
	const title = isOpen(listed)
		? `<a href="${escapeHtml(href)}">${words}</a>`
		: `<span>${words}</span>`;
	return `<li class="${isOpen(listed) ? 'open' : 'done'}">${title}
<p class="help">Item ${String(item)} · <code>${isolated(tool)}</code></p>
<p class="state">${stateOf(listed)}</p></li>`;
}

function stateOf({ kind, answeredAt, isOver }: ListedItem): string {
	if (answeredAt !== undefined) return `Answered ${timeElement(answeredAt)}`;
	if (isOver === true) return kind === 'sleep' ? 'Awake' : 'The time is over';
	switch (kind) {
		case 'person':
			return 'Waits for a person';
		case 'signal':
			return 'Waits for another system';
		case 'sleep':
			return 'Asleep';
	}
}
