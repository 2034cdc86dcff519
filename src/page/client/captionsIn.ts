import type { Captions } from './Receipt';

/** How the fields on the page are named, and what they show where that is not their value: choices and passwords. */
export function captionsIn(form: ParentNode): Captions {
	const captions = new Map<string, { label?: string; text?: string }>();
	for (const { dataset, ...rest } of [...form.querySelectorAll<HTMLElement>('[data-path]')].map(
		(part) => ({
			dataset: part.dataset,
			text: shownIn(part),
		}),
	)) {
		const path = dataset['path'] ?? '$';
		const label = dataset['label'];
		captions.set(path, {
			...captions.get(path),
			...(label === undefined || label === '' ? {} : { label }),
			...(rest.text === undefined ? {} : { text: rest.text }),
		});
	}
	return captions;
}

function shownIn(part: HTMLElement): string | undefined {
	if (part.dataset['leaf'] !== 'true') return undefined;
	const chosen = [...part.querySelectorAll<HTMLElement>('.choice:has(:checked) > span')];
	if (chosen.length > 0) return chosen.map((label) => label.textContent).join(', ');
	const select = part.querySelector('select');
	if (select !== null) return select.selectedOptions[0]?.textContent ?? undefined;
	return part.querySelector('input[type=password]') === null ? undefined : '••••••••';
}
