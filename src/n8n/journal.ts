import type { IExecuteFunctions } from 'n8n-workflow';

import { isPlainObject } from '../json/plainObject';
import { runIndexOf } from './runIndex';

const CONTEXT_KEY = 'salvorJournal';

/**
 * What the calls of one node run came to, kept in the execution while n8n may try the node again:
 * Retry On Fail runs the whole node, and a call that landed or may have landed is never sent twice (I1, P20, J1).
 */
export interface Journal<T> {
	/** What an earlier try recorded for an item. */
	read(item: number): T | undefined;
	record(item: number, entry: T): void;
	/** True the first time for this name in all tries of a node run: what is done then is not done by a further try. */
	markOnce(name: string): boolean;
	/** Once no further try can come, the record is only weight. */
	clear(): void;
}

/** The journal of this node run; one that keeps nothing when Retry On Fail is off. */
export function openJournal<T>(context: IExecuteFunctions): Journal<T> {
	if (context.getNode().retryOnFail !== true) {
		return {
			read: () => undefined,
			record: () => undefined,
			markOnce: () => true,
			clear: () => undefined,
		};
	}
	const run = String(runIndexOf(context));
	const store = context.getContext('node');
	const stored: unknown = store[CONTEXT_KEY];
	const known = isPlainObject(stored) && stored['run'] === run ? stored : {};
	const marks: string[] = Array.isArray(known['marks']) ? known['marks'].map(String) : [];
	const entries: Record<string, T> = isPlainObject(known['entries'])
		? // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- only record() writes it
			{ ...(known['entries'] as Record<string, T>) }
		: {};
	const save = () => {
		store[CONTEXT_KEY] = { run, entries, marks };
	};
	return {
		read: (item) => entries[String(item)],
		record: (item, entry) => {
			entries[String(item)] = entry;
			save();
		},
		markOnce: (name) => {
			if (marks.includes(name)) return false;
			marks.push(name);
			save();
			return true;
		},
		clear: () => {
			store[CONTEXT_KEY] = undefined;
		},
	};
}
