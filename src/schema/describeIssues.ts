import type { ErrorObject } from 'ajv/dist/core';
import type { SchemaIssue } from './checkSchema';
import { describeError } from './describeError';
import { entryPath, propertyPath } from '../json/jsonPath';
import { allowedKinds, allowedValues, kindOf } from './expectation';

const MAX_ISSUES = 20;
const MAX_ERRORS = 400;
const LONGEST_PATH = 600;
/** Keywords that only repeat what their branches say. */
const SUMMARIES = new Set(['anyOf', 'oneOf', 'if', 'propertyNames']);

interface Place {
	readonly path: string;
	readonly value: unknown;
	readonly errors: ErrorObject[];
}

/** Turns ajv's errors about a value into issues, at most 20: one per place and problem, branches of a union merged. */
export function describeIssues(
	errors: readonly ErrorObject[],
	root: unknown,
): readonly SchemaIssue[] {
	const places = new Map<string, Place>();
	for (const error of errors.slice(0, MAX_ERRORS)) {
		const place = placeOf(error, root);
		const known = places.get(place.path);
		if (known === undefined) places.set(place.path, { ...place, errors: [error] });
		else known.errors.push(error);
	}
	const all = [...places.values()];
	return all.flatMap((place) => issuesOf(place, all)).slice(0, MAX_ISSUES);
}

function issuesOf(place: Place, all: readonly Place[]): readonly SchemaIssue[] {
	const hasDetails = (error: ErrorObject) =>
		place.errors.some((other) => other !== error && !SUMMARIES.has(other.keyword)) ||
		all.some(
			(other) =>
				other.path !== place.path && other.errors[0]?.instancePath.startsWith(error.instancePath),
		);
	const details = place.errors.filter(
		(error) => !SUMMARIES.has(error.keyword) || isAmbiguous(error) || !hasDetails(error),
	);
	const wanted = details.filter(isAlternative).map(missingName);
	const expected = details.filter(isExpectation);
	const rest = details.filter((error) => !isExpectation(error) && !isAlternative(error));
	const messages = rest.map((error) => describeError(error));
	if (wanted.length > 0) messages.push(`must have ${anyOf([...new Set(wanted)])}`);
	// A value that has one branch's type and fails there is told about that branch only.
	if (messages.length === 0 && expected.length > 0)
		messages.push(expectation(expected, place.value));
	const path = shortPath(place.path);
	return [...new Set(messages)].map((message) => ({ path, message }));
}

/** The middle of a path of very many steps is left out. */
const shortPath = (path: string): string =>
	path.length <= LONGEST_PATH
		? path
		: `${path.slice(0, LONGEST_PATH / 2)}…${path.slice(1 - LONGEST_PATH / 2)}`;

const isExpectation = ({ keyword }: ErrorObject) =>
	keyword === 'type' || keyword === 'enum' || keyword === 'const';

/** A property that one branch of a union requires: another branch may do without it. */
const isAlternative = ({ keyword, schemaPath }: ErrorObject) =>
	keyword === 'required' && /\/(?:anyOf|oneOf)\/\d+\/required$/.test(schemaPath);

const missingName = ({ params }: ErrorObject) =>
	JSON.stringify(String(params['missingProperty']).slice(0, 100));

const isAmbiguous = ({ keyword, params }: ErrorObject) =>
	keyword === 'oneOf' && Array.isArray(params['passingSchemas']);

function expectation(errors: readonly ErrorObject[], value: unknown): string {
	const values = errors.flatMap(allowedValues);
	const parents = new Set(errors.filter((e) => e.keyword !== 'type').map(parentOf));
	const kinds = errors
		.filter((e) => e.keyword === 'type' && !parents.has(parentOf(e)))
		.flatMap(allowedKinds);
	const kindList = [...new Set(kinds)].join(' or ');
	if (values.length === 0) return `must be ${kindList}, but ${kindOf(value)} arrived`;
	const valueList = [...new Set(values)];
	const listed = valueList.length === 1 ? valueList.join('') : `one of ${listOf(valueList)}`;
	return `must be ${kindList === '' ? '' : `${kindList} or `}${listed}`;
}

const parentOf = ({ schemaPath }: ErrorObject) => schemaPath.slice(0, schemaPath.lastIndexOf('/'));

function anyOf(names: readonly string[]): string {
	const shown = names.slice(0, 10);
	const more = names.length - shown.length;
	return `${shown.join(' or ')}${more === 0 ? '' : ` or one of ${more} others`}`;
}

function listOf(values: readonly string[]): string {
	const shown = values.slice(0, 10);
	const more = values.length - shown.length;
	return more === 0 ? shown.join(', ') : `${shown.join(', ')} and ${more} more`;
}

/** The place an error speaks of; a missing or surplus property is its own place. */
function placeOf(error: ErrorObject, root: unknown): { path: string; value: unknown } {
	let path = '$';
	let value = root;
	for (const escaped of error.instancePath.split('/').slice(1)) {
		const name = escaped.replaceAll('~1', '/').replaceAll('~0', '~');
		path = Array.isArray(value) ? entryPath(path, name) : propertyPath(path, name);
		value =
			typeof value === 'object' && value !== null
				? Object.getOwnPropertyDescriptor(value, name)?.value
				: undefined;
	}
	if (isAlternative(error)) return { path, value };
	for (const key of [
		'missingProperty',
		'additionalProperty',
		'unevaluatedProperty',
		'propertyName',
	]) {
		const name: unknown = error.params[key];
		if (typeof name === 'string') return { path: propertyPath(path, name), value: undefined };
	}
	if (error.propertyName !== undefined) {
		return { path: propertyPath(path, error.propertyName), value: error.propertyName };
	}
	return { path, value };
}
