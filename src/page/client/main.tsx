import { render } from 'preact';
import { AnswerForm } from './AnswerForm';
import type { ClientModel } from './clientModel';
import { footWords, type Use } from './footWords';
import { localText, timeAhead } from './localTime';

for (const time of document.querySelectorAll<HTMLTimeElement>('time[data-local]')) {
	const inUtc = time.textContent;
	time.textContent = localText(time.dateTime);
	time.title = inUtc;
}
const tellTimes = () => {
	for (const place of document.querySelectorAll<HTMLElement>('[data-until]')) {
		const ahead = timeAhead(place.dataset['until'] ?? '', new Date());
		place.textContent = ahead === undefined ? (place.dataset['passed'] ?? '') : ` ${ahead}`;
	}
};
tellTimes();
setInterval(tellTimes, 10_000);

const model = document.getElementById('model');
const place = document.getElementById('answer');
if (model !== null && place !== null) {
	// eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- the page wrote it
	const given = JSON.parse(model.textContent) as ClientModel;
	const sayOver = (words: string, use: Use) => {
		const eyebrow = document.getElementById('eyebrow');
		if (eyebrow !== null) {
			eyebrow.textContent = words;
			if (use === 'none') eyebrow.className = 'eyebrow over';
		}
		const foot = document.getElementById('foot');
		if (foot !== null) foot.textContent = footWords(use);
		for (const beside of document.querySelectorAll('[data-while-open]')) beside.remove();
	};
	render(<AnswerForm model={given} onOver={sayOver} />, place);
}
