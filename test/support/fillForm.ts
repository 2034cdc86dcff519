import type { Locator, Page } from 'playwright-core';
import { entryPath, propertyPath } from '../../src/json/jsonPath';

/** How a value of a choice is labelled, where that is not plain from the value. */
export type Labels = Readonly<Record<string, string>>;

/** Types an answer into the form on the page, as a person would: adds what is left out, chooses alternatives, fills fields. */
export async function fillForm(page: Page, answer: unknown, labels: Labels = {}): Promise<void> {
	await fill(page, answer, '$', labels);
}

const partAt = (page: Page, path: string): Locator =>
	page.locator(`.part[data-path=${JSON.stringify(path)}]`);

async function fill(page: Page, value: unknown, path: string, labels: Labels): Promise<void> {
	const part = partAt(page, path).first();
	const add = part.locator('> .optional > .left-out + button');
	if ((await add.count()) > 0) await add.click();
	await chooseAlternative(page, part, value, path);
	const leaf = page.locator(`.part[data-leaf=true][data-path=${JSON.stringify(path)}]`);
	if ((await leaf.count()) > 0) await fillLeaf(leaf.first(), value, labels[path]);
	else if (Array.isArray(value)) await fillEntries(page, part, value, path, labels);
	else await fillProperties(page, part, Object.entries(value as object), path, labels);
}

async function fillEntries(
	page: Page,
	part: Locator,
	entries: readonly unknown[],
	path: string,
	labels: Labels,
): Promise<void> {
	for (const [index, entry] of entries.entries()) {
		const inner = entryPath(path, String(index));
		if ((await partAt(page, inner).count()) === 0) {
			await part.getByRole('button', { name: 'Add an entry' }).last().click();
			await partAt(page, inner).first().waitFor();
		}
		await fill(page, entry, inner, labels);
	}
}

async function fillProperties(
	page: Page,
	part: Locator,
	entries: readonly (readonly [string, unknown])[],
	path: string,
	labels: Labels,
): Promise<void> {
	for (const [name, value] of entries) {
		const inner = propertyPath(path, name);
		if ((await partAt(page, inner).count()) === 0) {
			await part.getByRole('button', { name: 'Add an entry' }).last().click();
			const key = part.locator('.named input').last();
			await key.fill(name);
			await key.blur();
			await partAt(page, inner).first().waitFor();
		}
		await fill(page, value, inner, labels);
	}
}

/** Tries the alternatives until one has a place for the value. */
async function chooseAlternative(
	page: Page,
	part: Locator,
	value: unknown,
	path: string,
): Promise<void> {
	const union = part.locator('> .union, > .optional > .union').first();
	if ((await union.count()) === 0) return;
	const options = union.locator('> .field input[type=radio]');
	for (let index = 0; index < (await options.count()); index++) {
		await options.nth(index).check();
		if (await hasPlaceFor(page, value, path)) return;
	}
	throw new Error(`No alternative at ${path} takes ${JSON.stringify(value)}.`);
}

async function hasPlaceFor(page: Page, value: unknown, path: string): Promise<boolean> {
	const leaf = page.locator(`.part[data-leaf=true][data-path=${JSON.stringify(path)}]`);
	if (typeof value === 'number') return (await leaf.locator('input[type=number]').count()) > 0;
	if (typeof value === 'string') return (await leaf.locator('input[type=text]').count()) > 0;
	for (const [name, inner] of Object.entries(value as object)) {
		const place = partAt(page, propertyPath(path, name));
		if ((await place.count()) === 0) return false;
		const fixed = place.locator('.fixed');
		if ((await fixed.count()) > 0 && (await fixed.textContent()) !== String(inner)) return false;
	}
	return true;
}

async function fillLeaf(leaf: Locator, value: unknown, label: string | undefined): Promise<void> {
	if ((await leaf.locator('.fixed').count()) > 0) return;
	if ((await leaf.locator('input[type=checkbox]').count()) > 0) {
		for (const entry of value as readonly unknown[]) {
			await leaf.getByLabel(String(entry), { exact: true }).check();
		}
	} else if ((await leaf.locator('input[type=radio]').count()) > 0) {
		await leaf.getByLabel(label ?? labelOf(value), { exact: true }).check();
	} else if ((await leaf.locator('select').count()) > 0) {
		await leaf.locator('select').selectOption({ label: label ?? labelOf(value) });
	} else if ((await leaf.locator('textarea.code').count()) > 0) {
		await leaf.locator('textarea').fill(JSON.stringify(value));
	} else if ((await leaf.locator('input[type=datetime-local]').count()) > 0) {
		await leaf.locator('input').fill(String(value).slice(0, 16));
	} else
		await leaf
			.locator('.field input, .field textarea')
			.last()
			.fill(typeof value === 'string' ? value : JSON.stringify(value));
}

function labelOf(value: unknown): string {
	if (typeof value === 'boolean') return value ? 'Yes' : 'No';
	if (value === null) return 'None (null)';
	return typeof value === 'string' ? value : JSON.stringify(value);
}
