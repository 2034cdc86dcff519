import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { entryPath, propertyPath } from '../../json/jsonPath';
import { isPlainObject } from '../../json/plainObject';
import { inWords } from './inWords';
import { localText } from './localTime';
import { getWaiting } from './post';
import { shownText } from './shownText';

/** How the form named and showed its fields, by JSON path. */
export type Captions = ReadonlyMap<string, { readonly label?: string; readonly text?: string }>;

interface Recorded {
	readonly answer: unknown;
	readonly captions: Captions;
	readonly remaining: number;
	readonly recordedAt: string;
}

/** Takes the form's place: what was recorded, and what else waits. */
export function Receipt({ answer, captions, remaining, recordedAt }: Recorded) {
	const heading = useRef<HTMLHeadingElement>(null);
	useEffect(() => heading.current?.focus(), []);
	return (
		<section class="receipt" aria-labelledby="receipt-title">
			<h2 id="receipt-title" tabIndex={-1} ref={heading}>
				<span class="tick" aria-hidden="true">
					✓
				</span>
				Your answer was recorded
			</h2>
			<p class="lead">
				{remaining === 0
					? 'The workflow goes on with it. You can close this page; its link does not show your answer again.'
					: `The workflow goes on once ${remaining === 1 ? 'one more answer is' : `${String(remaining)} more answers are`} in.`}
			</p>
			<div class="recorded">
				<Value value={answer} path="$" captions={captions} />
			</div>
			<p class="help">Recorded {localText(recordedAt)}.</p>
			{remaining > 0 && <Others />}
		</section>
	);
}

function Value({
	value,
	path,
	captions,
}: {
	readonly value: unknown;
	readonly path: string;
	readonly captions: Captions;
}): JSX.Element {
	const told = captions.get(path)?.text;
	if (told !== undefined) return <span dir="auto">{told}</span>;
	if (Array.isArray(value) && value.length > 0) {
		return (
			<ol>
				{value.map((entry: unknown, index) => (
					<li key={index}>
						<Value value={entry} path={entryPath(path, String(index))} captions={captions} />
					</li>
				))}
			</ol>
		);
	}
	if (isPlainObject(value) && Object.keys(value).length > 0) {
		return (
			<dl>
				{Object.entries(value).map(([name, entry]) => {
					const inner = propertyPath(path, name);
					return (
						<div key={name}>
							<dt dir="auto">{captions.get(inner)?.label ?? inWords(name)}</dt>
							<dd>
								<Value value={entry} path={inner} captions={captions} />
							</dd>
						</div>
					);
				})}
			</dl>
		);
	}
	if (isPlainObject(value)) return <span class="help">You left every field empty.</span>;
	return <span dir="auto">{Array.isArray(value) ? 'No entries' : shownText(value)}</span>;
}

interface Other {
	readonly item: number;
	readonly text: string;
}

/** Links to the items that still wait. */
function Others() {
	const [others, setOthers] = useState<readonly Other[]>([]);
	useEffect(() => {
		void getWaiting().then(({ body }) => setOthers(othersIn(body)));
	}, []);
	return (
		<div class="others">
			<h3>Still waiting for an answer</h3>
			<ul>
				{others.slice(0, 20).map(({ item, text }) => (
					<li key={item}>
						<a href={addressOf(item)} dir="auto">
							{text.length > 160 ? `${text.slice(0, 160)}…` : text}
						</a>
					</li>
				))}
			</ul>
			<p>
				<a href={addressOf(undefined)}>See everything that waits</a>
			</p>
		</div>
	);
}

function othersIn({ items }: Readonly<Record<string, unknown>>): readonly Other[] {
	if (!Array.isArray(items)) return [];
	return items
		.filter(isPlainObject)
		.flatMap(({ item, kind, reason, answered_at: answered }) =>
			typeof item === 'number' &&
			typeof reason === 'string' &&
			kind !== 'sleep' &&
			answered === undefined
				? [{ item, text: reason }]
				: [],
		);
}

/** The page's own address for another item, or for the list of all. */
function addressOf(item: number | undefined): string {
	const query = new URLSearchParams(location.search);
	// It names the item of this page, and would outrank the number of another.
	query.delete('park');
	if (item === undefined) query.delete('item');
	else query.set('item', String(item));
	return `?${query.toString()}`;
}
