import { escapeHtml, isolated } from './escape';
import { timeElement } from './instantText';
import type { ListedItem, PageModel } from './pageModel';

const LONGEST_TEXT = 300;

/** The items of a run that wait, each with the way to its own page. */
export function renderList({
	items,
	workflowName,
	deadline,
}: Extract<PageModel, { readonly kind: 'list' }>): string {
	const open = items.filter(({ answeredAt, kind }) => answeredAt === undefined && kind !== 'sleep');
	const count = open.length === 1 ? '1 answer is' : `${String(open.length)} answers are`;
	const workflow = workflowName === undefined ? '' : ` in ${isolated(workflowName)}`;
	const heading = open.length === 0 ? 'No answer is awaited' : `${count} awaited`;
	const by =
		deadline === undefined || open.length === 0 ? '' : ` Answer by ${timeElement(deadline)}.`;
	return `<h1>${heading}</h1>
<p class="lead">Several items wait${workflow}. Each has a page of its own, and they can be answered in any order.${by}</p>
<ol class="waiting">
${items.map(renderItem).join('\n')}
</ol>`;
}

function renderItem({ item, kind, tool, text, href, answeredAt }: ListedItem): string {
	const shown = text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}…` : text;
	const words =
		kind === 'sleep' ? `Goes on ${timeElement(text)}` : `<bdi>${escapeHtml(shown)}</bdi>`;
	const title =
		answeredAt === undefined && kind !== 'sleep'
			? `<a href="${escapeHtml(href)}">${words}</a>`
			: `<span>${words}</span>`;
	return `<li>${title}
<p class="help">Item ${String(item + 1)} · <code>${isolated(tool)}</code> · ${stateOf(kind, answeredAt)}</p></li>`;
}

function stateOf(kind: ListedItem['kind'], answeredAt: string | undefined): string {
	if (answeredAt !== undefined) return `answered ${timeElement(answeredAt)}`;
	switch (kind) {
		case 'person':
			return 'waits for a person';
		case 'signal':
			return 'waits for another system';
		case 'sleep':
			return 'asleep';
	}
}
