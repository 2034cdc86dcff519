import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { collectAnswer } from './collectAnswer';
import { failureWords } from './failureWords';
import type { Use } from './footWords';
import { type FormContext, FormContextProvider } from './formContext';
import { toFormSchema } from './formSchema';
import type { ClientModel } from './clientModel';
import { Help, Problem } from './FieldFrame';
import { type Issue, issuesOf, issueText } from './placeIssues';
import { postAnswer } from './post';
import { proposedValue } from './proposedValue';
import { readJson } from './readText';
import { type Captions, Receipt } from './Receipt';
import { SchemaForm } from './SchemaForm';
import { captionsIn } from './captionsIn';
import { controlIn, fieldAt, ofShownAlternatives, pathOf, shownFields } from './shownFields';
import { Summary, type SummaryLine } from './Summary';

type Mode = 'fields' | 'json';
interface Alert {
	readonly title: string;
	readonly lines: readonly SummaryLine[];
}
interface Sent {
	readonly answer: unknown;
	readonly captions: Captions;
	readonly remaining: number;
	readonly recordedAt: string;
}

const JSON_ID = 'json-box';
const JSON_PLACE = 'json';
const NO_PROBLEMS: ReadonlyMap<string, readonly string[]> = new Map();

/** The form of an answer, from the first keystroke to the receipt. Nothing is sent before Send is pressed. */
export function AnswerForm({
	model,
	onOver,
}: {
	readonly model: ClientModel;
	/** Is told what to say above, and what the page's address can do from now on. */
	readonly onOver: (words: string, use: Use) => void;
}) {
	const form = useMemo(() => toFormSchema(model.schema), [model]);
	const isFormless = model.isUnchecked || form.schema.leaf?.kind === 'json';
	const [mode, setMode] = useState<Mode>(isFormless ? 'json' : 'fields');
	const [value, setValue] = useState<unknown>(() => proposedValue(form.schema, form.schema));
	const [json, setJson] = useState('');
	const [problems, setProblems] = useState(NO_PROBLEMS);
	const [alert, setAlert] = useState<Alert | undefined>(undefined);
	const [isSending, setSending] = useState(false);
	const [isOver, setOver] = useState(false);
	const [sent, setSent] = useState<Sent | undefined>(undefined);
	const sending = useRef(false);
	const element = useRef<HTMLFormElement>(null);
	const focusNext = useRef<'first problem' | 'alert' | undefined>(undefined);
	const unreadable = useRef(new Map<string, string>()).current;

	const clearProblem = (path: string) => {
		setProblems((before) => new Map([...before].filter(([place]) => place !== path)));
	};
	const context = useMemo<FormContext>(
		() => ({ form, root: model.schema, problems, unreadable, clearProblem }),
		[form, model, problems, unreadable],
	);

	useEffect(() => {
		const place = element.current;
		const wanted = focusNext.current;
		focusNext.current = undefined;
		if (place === null || wanted === undefined) return;
		const first =
			wanted === 'first problem'
				? place.querySelector<HTMLElement>('.panel:not([hidden]) .problem')
				: null;
		const field = first?.closest<HTMLElement>('.field, .part') ?? undefined;
		const target = (field && controlIn(field)) ?? place.querySelector<HTMLElement>('.alert');
		target?.focus();
		target?.scrollIntoView({ block: 'center' });
	}, [problems, alert]);

	const tell = (all: readonly Issue[]) => {
		const place = element.current;
		if (place === null) return;
		const issues = mode === 'fields' ? ofShownAlternatives(all, place) : all;
		const found = new Map<string, string[]>();
		const lines = issues.map((issue): SummaryLine => {
			const field = mode === 'fields' ? fieldAt(place, issue.path) : undefined;
			const at = mode === 'json' ? JSON_PLACE : field === undefined ? '$' : pathOf(field);
			const text = issueText(issue, mode === 'json' ? '$' : at);
			found.set(at, [...(found.get(at) ?? []), text]);
			const control =
				mode === 'json'
					? place.querySelector<HTMLElement>(`#${JSON_ID}`)
					: field && controlIn(field);
			const label = field?.dataset['label'];
			return {
				text:
					label === undefined || label === ''
						? text
						: `${label}${/[?!.:]$/.test(label) ? ' ' : ': '}${text}`,
				...(control ? { control } : {}),
			};
		});
		show(found, lines, lines.length);
	};
	const show = (
		found: ReadonlyMap<string, readonly string[]>,
		lines: readonly SummaryLine[],
		count: number,
	) => {
		focusNext.current = 'first problem';
		setProblems(found);
		setAlert({
			title:
				count === 1
					? 'Something needs a change before this can be sent'
					: `${String(count)} things need a change before this can be sent`,
			lines,
		});
	};

	/** Says what is not a value yet; true when there is something. */
	const tellUnreadable = (place: HTMLFormElement): boolean => {
		const found = new Map<string, string[]>();
		const lines: SummaryLine[] = [];
		// Half a date is no text, and no event tells of it.
		const halves = [...place.querySelectorAll('input')].filter(
			({ id, validity }) => validity.badInput && !unreadable.has(id),
		);
		const all = [...unreadable, ...halves.map(({ id }) => [id, 'Write it in full.'] as const)];
		for (const [id, message] of all) {
			const control = place.querySelector<HTMLElement>(`#${CSS.escape(id)}`) ?? undefined;
			const field =
				control?.closest<HTMLElement>('.part') ??
				place.querySelector<HTMLElement>(`[data-id="${CSS.escape(id)}"]`) ??
				undefined;
			if (field === undefined) continue;
			found.set(pathOf(field), [...(found.get(pathOf(field)) ?? []), message]);
			const label = field.dataset['label'] ?? '';
			const target = control ?? controlIn(field);
			lines.push({
				text: label === '' ? message : `${label}: ${message}`,
				...(target ? { control: target } : {}),
			});
		}
		if (lines.length === 0) return false;
		show(found, lines, lines.length);
		return true;
	};

	const read = (place: HTMLFormElement): { readonly answer: unknown } | undefined => {
		if (mode === 'fields') {
			return tellUnreadable(place)
				? undefined
				: { answer: collectAnswer(value, shownFields(place), form.names) };
		}
		const reading = readJson(json);
		if (reading.kind === 'value') return { answer: reading.value };
		const message =
			reading.kind === 'unreadable' ? reading.message : 'Write the answer as JSON first.';
		const control = place.querySelector<HTMLElement>(`#${JSON_ID}`);
		show(
			new Map([[JSON_PLACE, [message]]]),
			[{ text: message, ...(control ? { control } : {}) }],
			1,
		);
		return undefined;
	};

	const submit = async (place: HTMLFormElement) => {
		if (sending.current || isOver) return;
		const reading = read(place);
		if (reading === undefined) return;
		// An answer without a value is what JSON calls null.
		const answer = reading.answer ?? null;
		const captions = mode === 'fields' ? captionsIn(place) : new Map<string, never>();
		sending.current = true;
		setProblems(NO_PROBLEMS);
		setAlert(undefined);
		setSending(true);
		const reply = await postAnswer(answer, model.parkedAt);
		sending.current = false;
		setSending(false);
		const { status, body } = reply;
		const isResumed = status === 200 && body['status'] === 'resumed';
		if (isResumed || (status === 202 && body['status'] === 'recorded')) {
			const remaining = isResumed ? 0 : Number(body['remaining']) || 1;
			setSent({ answer, captions, remaining, recordedAt: new Date().toISOString() });
			onOver('Answered', isResumed ? 'resumed' : 'others');
			return;
		}
		const issues = status === 422 ? issuesOf(body) : [];
		if (issues.length > 0) {
			tell(issues);
			return;
		}
		const words = failureWords(reply, passed(model.deadline));
		focusNext.current = 'alert';
		setAlert({ title: words.title, lines: [{ text: words.text }] });
		if (words.isFinal === true) {
			setOver(true);
			onOver('Not waiting for an answer now', 'none');
		}
	};

	const swap = () => {
		const place = element.current;
		if (place === null) return;
		setProblems(NO_PROBLEMS);
		setAlert(undefined);
		if (mode === 'fields')
			setJson(
				JSON.stringify(collectAnswer(value, shownFields(place), form.names) ?? null, null, 2),
			);
		setMode(mode === 'fields' ? 'json' : 'fields');
	};
	useSwapFocus(element, mode);

	if (sent !== undefined) return <Receipt {...sent} />;
	const jsonFrame = {
		id: JSON_ID,
		messages: problems.get(JSON_PLACE) ?? [],
		description: 'Text stands in double quotes: "like this". Yes and no are true and false.',
	};
	return (
		<form
			ref={element}
			class={isOver ? 'over' : undefined}
			noValidate
			autocomplete="off"
			onSubmit={(event) => {
				event.preventDefault();
				void submit(event.currentTarget);
			}}
		>
			{alert !== undefined && <Summary {...alert} />}
			{!isFormless && (
				<fieldset class="panel plain" hidden={mode === 'json'} disabled={isOver}>
					<p class="legend">
						Fields marked <span class="mark">*</span> need an answer.
					</p>
					<FormContextProvider value={context}>
						<SchemaForm value={value} onChange={setValue} />
					</FormContextProvider>
				</fieldset>
			)}
			<div class="panel" hidden={mode === 'fields'}>
				<div class="field">
					<label for={JSON_ID}>{isFormless ? 'Your answer, as JSON' : 'Answer as JSON'}</label>
					<Help {...jsonFrame} />
					<textarea
						id={JSON_ID}
						class="code"
						rows={8}
						spellcheck={false}
						autocapitalize="off"
						readOnly={isOver}
						aria-required
						aria-invalid={jsonFrame.messages.length > 0}
						aria-describedby={`${JSON_ID}-help${jsonFrame.messages.length > 0 ? ` ${JSON_ID}-problem` : ''}`}
						value={json}
						onInput={(event) => {
							setJson(event.currentTarget.value);
							if (jsonFrame.messages.length > 0) clearProblem(JSON_PLACE);
						}}
					/>
					<Problem {...jsonFrame} />
				</div>
			</div>
			{!isOver && (
				<div class="actions">
					<button type="submit" aria-disabled={isSending}>
						{isSending ? 'Sending…' : 'Send answer'}
					</button>
					{!isFormless && (
						<button type="button" class="quiet" onClick={swap}>
							{mode === 'fields' ? 'Write JSON instead' : 'Back to the form'}
						</button>
					)}
				</div>
			)}
			<p class="visually-hidden" role="status">
				{isSending ? 'Sending your answer.' : ''}
			</p>
		</form>
	);
}

/** After a change between fields and JSON the first control of what is shown has the focus. */
function useSwapFocus(element: { readonly current: HTMLFormElement | null }, mode: Mode): void {
	const before = useRef(mode);
	useEffect(() => {
		if (before.current === mode) return;
		before.current = mode;
		const panel = element.current?.querySelector('.panel:not([hidden])');
		(panel && controlIn(panel))?.focus();
	}, [mode]);
}

/** A deadline that is over by the reader's clock; n8n itself does not say why it takes no answer any more. */
const passed = (deadline: string | undefined): string | undefined =>
	deadline !== undefined && new Date(deadline) <= new Date() ? deadline : undefined;
