/**
 * What runs in the reader's browser: collects the answer, posts it to the page's own address, shows problems
 * beside their fields and a receipt at the end. It sets text only, never markup, and sends nothing before Send is pressed.
 */
export const clientScript = String.raw`
(() => {
	'use strict';
	const byId = (id) => document.getElementById(id);
	const SEND_LIMIT_MS = 60000;
	const NOT_COUNTED_TWICE = 'Sending again is safe: only the first answer counts.';

	function element(tag, text, className) {
		const made = document.createElement(tag);
		if (text !== undefined) made.textContent = text;
		if (className) made.className = className;
		return made;
	}

	const inLocalTime = (date) =>
		new Intl.DateTimeFormat('en-GB', {
			day: 'numeric', month: 'long', year: 'numeric', hour: '2-digit', minute: '2-digit', timeZoneName: 'short',
		}).format(date);

	function localText(instant) {
		const date = new Date(instant);
		return Number.isNaN(date.getTime()) ? String(instant) : inLocalTime(date);
	}

	for (const time of document.querySelectorAll('time[data-local]')) {
		const utc = time.textContent;
		time.textContent = localText(time.dateTime);
		time.title = utc;
	}

	const remaining = byId('remaining');
	if (remaining) {
		const minutes = (new Date(remaining.dataset.until).getTime() - Date.now()) / 60000;
		const units = [['year', 525600], ['month', 43200], ['day', 1440], ['hour', 60], ['minute', 1]];
		const unit = units.find(([, size]) => minutes >= 2 * size) || units[4];
		if (minutes >= 1) {
			remaining.textContent =
				' ' + new Intl.RelativeTimeFormat('en', { numeric: 'always' }).format(Math.round(minutes / unit[1]), unit[0]);
		} else {
			remaining.textContent = ' any moment now';
		}
	}

	const form = byId('answer');
	if (!form) return;
	const { fields, parkedAt } = JSON.parse(byId('model').textContent);
	const fieldsPanel = byId('fields');
	const jsonPanel = byId('json');
	const jsonBox = byId('json-box');
	const summary = byId('summary');
	const sendButton = byId('send');
	const swapButton = byId('swap');
	const blocks = [...form.querySelectorAll('.field[data-index]')];
	const jsonBlock = jsonBox.closest('.field');
	let mode = fieldsPanel ? 'fields' : 'json';
	let sending = false;

	/* A default instant is shown in the reader's own time. */
	blocks.forEach((block, index) => {
		const input = block.querySelector('input[type=datetime-local]');
		const preset = fields[index].default;
		if (!input || typeof preset !== 'string') return;
		const date = new Date(preset);
		if (!Number.isNaN(date.getTime())) {
			input.value = new Date(date.getTime() - date.getTimezoneOffset() * 60000).toISOString().slice(0, 19);
		}
	});

	/* Reading: each field gives nothing, a value, or a problem. */
	const NOTHING = { kind: 'nothing' };
	const value = (it) => ({ kind: 'value', value: it });
	const problem = (message) => ({ kind: 'problem', message });

	function readNumber(text, whole) {
		const trimmed = text.trim();
		if (trimmed === '') return NOTHING;
		if (!/^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(trimmed) || !Number.isFinite(Number(trimmed))) {
			return problem('Write a number with digits and a point, such as ' + (whole ? '12.' : '1250.50.'));
		}
		const number = Number(trimmed);
		if (whole && !Number.isInteger(number)) return problem('Write a whole number, such as 12.');
		if (Number.isInteger(number) && !Number.isSafeInteger(number)) {
			return problem('This number is too large to be sent exactly.');
		}
		return value(number);
	}

	function readJson(text) {
		if (text.trim() === '') return NOTHING;
		try {
			return value(JSON.parse(text));
		} catch (error) {
			return problem('This is not valid JSON: ' + error.message + '.');
		}
	}

	function readField(block, field) {
		const chosen = block.querySelector('input[type=radio]:checked');
		const control = block.querySelector('select, textarea, input:not([type=radio])');
		const text = control ? control.value : chosen ? chosen.value : '';
		switch (field.kind) {
			case 'boolean':
				return text === '' ? NOTHING : value(text === 'yes');
			case 'enum':
				return text === '' ? NOTHING : value(field.options[Number(text)].value);
			case 'number':
				return readNumber(text, false);
			case 'integer':
				return readNumber(text, true);
			case 'json':
				return readJson(text);
			default:
				if (control.validity && control.validity.badInput) return problem('Write a whole date.');
				if (text === '') return NOTHING;
				return value(control.type === 'datetime-local' ? new Date(text).toISOString() : text);
		}
	}

	function readForm() {
		const entries = [];
		const problems = [];
		blocks.forEach((block, index) => {
			const field = fields[index];
			const read = readField(block, field);
			if (read.kind === 'value') entries.push([field, read.value]);
			else if (read.kind === 'problem') problems.push({ block, message: read.message });
			else if (field.required && field.nullable) entries.push([field, null]);
			else if (field.required) {
				const choose = field.kind === 'boolean' || field.kind === 'enum';
				problems.push({ block, message: choose ? 'Choose one of these.' : 'This needs an answer.' });
			}
		});
		return { entries, problems };
	}

	const answerOf = (entries) => Object.fromEntries(entries.map(([field, it]) => [field.name, it]));

	function readAnswer() {
		if (mode === 'fields') {
			const { entries, problems } = readForm();
			return { problems, entries, answer: answerOf(entries) };
		}
		const read = readJson(jsonBox.value);
		if (read.kind === 'value') return { problems: [], answer: read.value };
		const message = read.kind === 'problem' ? read.message : 'Write the answer as JSON first.';
		return { problems: [{ block: jsonBlock, message }] };
	}

	/* Problems: beside the field, and listed on top. */
	const problemLine = (block) => block.querySelector('.problem');
	const invalidTarget = (block) =>
		block.tagName === 'FIELDSET' ? block : block.querySelector('select, textarea, input');
	const focusTarget = (block) =>
		block.querySelector('input[type=radio]:checked') || block.querySelector('select, textarea, input');
	const labelText = (block) => {
		if (block === jsonBlock) return '';
		return fields[Number(block.dataset.index)].label;
	};

	function clearProblem(block) {
		problemLine(block).hidden = true;
		problemLine(block).textContent = '';
		invalidTarget(block).removeAttribute('aria-invalid');
	}

	function clearProblems() {
		summary.hidden = true;
		summary.replaceChildren();
		[...blocks, jsonBlock].forEach(clearProblem);
	}

	function showAlert(title, lines) {
		const list = lines.length > 1 || (lines[0] && lines[0].target) ? element('ul') : undefined;
		const parts = lines.map((line) => {
			const part = element(list ? 'li' : 'p');
			if (line.target) {
				const link = element('a');
				link.href = '#' + line.target.id;
				link.dir = 'auto';
				link.textContent = line.text;
				link.addEventListener('click', (event) => {
					event.preventDefault();
					line.target.focus();
				});
				part.append(link);
			} else {
				part.dir = 'auto';
				part.textContent = line.text;
			}
			return part;
		});
		if (list) list.append(...parts);
		summary.replaceChildren(element('strong', title), ...(list ? [list] : parts));
		summary.hidden = false;
	}

	function showProblems(problems) {
		clearProblems();
		const lines = [];
		for (const { block, message } of problems) {
			if (!block) {
				lines.push({ text: message });
				continue;
			}
			const line = problemLine(block);
			line.textContent = line.textContent ? line.textContent + '\n' + message : message;
			line.hidden = false;
			invalidTarget(block).setAttribute('aria-invalid', 'true');
			const label = labelText(block);
			lines.push({ text: label ? label + (/[?!.:]$/.test(label) ? ' ' : ': ') + message : message, target: focusTarget(block) });
		}
		showAlert(
			problems.length === 1 ? 'Something needs a change before this can be sent' : problems.length + ' things need a change before this can be sent',
			lines,
		);
		const first = lines.find((line) => line.target);
		if (first) first.target.focus();
		else summary.focus();
	}

	const sentence = (text) => text.charAt(0).toUpperCase() + text.slice(1) + (/[.!?…]$/.test(text) ? '' : '.');

	const elsewhere = (path, message) =>
		path === '$' ? sentence('the answer ' + message) : path.replace(/^\$\.?/, '') + ' ' + message + '.';

	/* An issue belongs to the field whose path begins it. */
	function placeIssue({ path, message }) {
		if (mode === 'json') {
			return { block: jsonBlock, message: elsewhere(path, message) };
		}
		const within = (start) => path === start || (path.startsWith(start) && /[.[]/.test(path.charAt(start.length)));
		const block = blocks.find((candidate) => within(candidate.dataset.path));
		if (!block) return { message: elsewhere(path, message) };
		const rest = path.slice(block.dataset.path.length);
		return { block, message: rest === '' ? sentence(message) : elsewhere('$' + rest, message) };
	}

	form.addEventListener('input', (event) => {
		const block = event.target.closest('.field');
		if (block) clearProblem(block);
	});

	if (swapButton) {
		swapButton.addEventListener('click', () => {
			clearProblems();
			mode = mode === 'fields' ? 'json' : 'fields';
			const isJson = mode === 'json';
			if (isJson) jsonBox.value = JSON.stringify(answerOf(readForm().entries), null, 2);
			fieldsPanel.hidden = isJson;
			jsonPanel.hidden = !isJson;
			swapButton.textContent = isJson ? 'Back to the form' : 'Write JSON instead';
			const first = isJson ? jsonBox : blocks[0] && focusTarget(blocks[0]);
			if (first) first.focus();
		});
	}

	/* Sending. */
	form.addEventListener('submit', async (event) => {
		event.preventDefault();
		if (sending) return;
		const { problems, entries, answer } = readAnswer();
		if (problems.length > 0) return showProblems(problems);
		clearProblems();
		sending = true;
		sendButton.disabled = true;
		sendButton.textContent = 'Sending…';
		byId('progress').textContent = 'Sending your answer.';
		const outcome = await post(answer);
		sending = false;
		sendButton.disabled = false;
		sendButton.textContent = 'Send answer';
		byId('progress').textContent = '';
		settle(outcome, entries, answer);
	});

	async function post(answer) {
		try {
			const response = await fetch(location.href, {
				method: 'POST',
				headers: {
					'Content-Type': 'application/json',
					Accept: 'application/json',
					'X-Salvor-Parked-At': parkedAt,
				},
				body: JSON.stringify(answer),
				cache: 'no-store',
				signal: AbortSignal.timeout(SEND_LIMIT_MS),
			});
			const text = await response.text();
			let body;
			try {
				body = JSON.parse(text);
			} catch {
				body = undefined;
			}
			return { status: response.status, body: typeof body === 'object' && body !== null ? body : {} };
		} catch {
			return { status: 0, body: {} };
		}
	}

	function settle({ status, body }, entries, answer) {
		if (status === 200 && body.status === 'resumed') return showReceipt(entries, answer, 0);
		if (status === 202 && body.status === 'recorded') return showReceipt(entries, answer, Number(body.remaining) || 0);
		if (status === 422 && body.status === 'rejected' && Array.isArray(body.issues) && body.issues.length > 0) {
			return showProblems(
				body.issues.map((issue) => placeIssue({ path: String(issue.path), message: String(issue.message) })),
			);
		}
		const told = failure(status, body);
		showAlert(told.title, told.lines.map((text) => ({ text })));
		if (told.final) closeForm();
		summary.focus();
		summary.scrollIntoView({ block: 'center' });
	}

	/* What was typed can still be read and copied. */
	function closeForm() {
		sendButton.hidden = true;
		if (swapButton) swapButton.hidden = true;
		form.classList.add('over');
		for (const control of form.querySelectorAll('input, select, textarea')) {
			if (control.type === 'radio' || control.tagName === 'SELECT') control.disabled = true;
			else control.readOnly = true;
		}
		const eyebrow = byId('eyebrow');
		if (eyebrow) eyebrow.textContent = 'Not waiting for an answer now';
	}

	/* What happened, whether the answer counts, and what to do. */
	function failure(status, body) {
		const reference = body.id === undefined ? '' : ' Its reference is ' + String(body.id) + '.';
		const wakesAt = body.sleep_until;
		const answeredAt = body.answered_at || body.answeredAt;
		switch (status) {
			case 0:
				return { title: 'The server could not be reached', lines: ['It is not known whether your answer arrived. Check your connection and send it again. ' + NOT_COUNTED_TWICE] };
			case 400:
			case 415:
			case 422:
				return { title: 'The server could not read this answer', lines: ['It was not recorded. Change it and send it again.'] };
			case 401:
			case 403:
				return { title: 'This address is not valid', lines: ['Your answer was not recorded. Open the page again from the message that brought you here.'] };
			case 404:
			case 410:
				return { final: true, title: 'Nothing waits here any more', lines: ['Your answer was not recorded. The workflow has ended, or was stopped. Ask the person who sent you this page.'] };
			case 409:
				if (wakesAt) return { final: true, title: 'The workflow is asleep', lines: ['Nothing can be answered before it wakes: ' + localText(wakesAt) + '.'] };
				if (answeredAt) return { final: true, title: 'This was answered already', lines: ['The first answer was recorded ' + localText(answeredAt) + ' and stands; this one was not recorded. If the connection broke while you were sending, the first answer may be your own.'] };
				return { final: true, title: 'This does not wait for an answer any more', lines: ['It was answered already, or the workflow went on without an answer. Yours was not recorded.'] };
			case 413:
				return { title: 'This answer is too large', lines: ['It was not recorded. Shorten it and send it again.'] };
			default:
				if (status >= 500) return { title: 'The server has a problem', lines: ['It does not say that your answer was recorded.' + reference + ' Wait a moment and send it again. ' + NOT_COUNTED_TWICE] };
				return { title: 'The server gave an unexpected reply (' + status + ')', lines: ['It is not known whether your answer was recorded. Send it again, or ask the person who sent you this page. ' + NOT_COUNTED_TWICE] };
		}
	}

	/* The receipt takes the form's place. */
	function shownValue(field, it) {
		if (field.kind === 'enum') {
			const option = field.options.find((candidate) => candidate.value === it);
			if (option) return option.label;
		}
		if (it === null) return 'No answer (null)';
		if (it === true) return 'Yes';
		if (it === false) return 'No';
		if (field.format === 'password') return '••••••••';
		if (field.format === 'date-time' && typeof it === 'string') return localText(it);
		return typeof it === 'string' || typeof it === 'number' ? String(it) : JSON.stringify(it, null, 2);
	}

	function showReceipt(entries, answer, remaining) {
		const receipt = element('section');
		receipt.id = 'receipt';
		receipt.tabIndex = -1;
		receipt.setAttribute('aria-labelledby', 'receipt-title');
		const title = element('h2');
		const tick = element('span', '✓', 'tick');
		tick.setAttribute('aria-hidden', 'true');
		const words = element('span', 'Your answer was recorded');
		words.id = 'receipt-title';
		title.append(tick, words);
		const next =
			remaining > 0
				? 'The workflow goes on once ' + (remaining === 1 ? 'one more answer is' : remaining + ' more answers are') + ' in.'
				: 'The workflow goes on with it. You can close this page.';
		receipt.append(title, element('p', next, 'lead'), recorded(entries, answer));
		const sent = element('p', 'Recorded ' + inLocalTime(new Date()) + '.', 'help');
		receipt.append(sent);
		const eyebrow = byId('eyebrow');
		if (eyebrow) eyebrow.textContent = 'Answered';
		const foot = document.querySelector('.foot');
		if (foot) foot.remove();
		const operator = byId('operator');
		(operator || form).replaceWith(receipt);
		receipt.focus();
	}

	function recorded(entries, answer) {
		if (!entries) return element('pre', JSON.stringify(answer, null, 2));
		if (entries.length === 0) return element('p', 'You left every field empty.', 'help');
		const list = element('dl', undefined, 'recorded');
		for (const [field, it] of entries) {
			const row = element('div');
			const term = element('dt', field.label);
			const shown = element('dd', shownValue(field, it));
			term.dir = shown.dir = 'auto';
			row.append(term, shown);
			list.append(row);
		}
		return list;
	}
})();
`;
