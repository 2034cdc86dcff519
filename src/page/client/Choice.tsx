import { same } from './fits';
import { ChoiceField, describedBy, type Frame, LabelledField } from './FieldFrame';
import type { Option } from './formNode';

const MAX_RADIOS = 5;

interface ChoiceProps {
	readonly frame: Frame;
	readonly options: readonly Option[];
	readonly value: unknown;
	readonly onChange: (value: unknown) => void;
}

/** One of several values: buttons where they are few, else a list. A choice that is not needed can be taken back. */
export function Choice({ frame, options, value, onChange }: ChoiceProps) {
	const chosen =
		value === undefined ? -1 : options.findIndex((option) => same(option.value, value));
	const canBeOpen = !frame.isRequired;
	if (options.length <= MAX_RADIOS) {
		const entries = [
			...options.map(({ label }, index) => ({ label, index })),
			...(canBeOpen ? [{ label: 'No answer', index: -1 }] : []),
		];
		return (
			<ChoiceField frame={frame} isSingle>
				{entries.map(({ label, index }) => (
					<label key={index} class={index === -1 ? 'choice none' : 'choice'}>
						<input
							type="radio"
							name={frame.id}
							checked={index === chosen}
							onChange={() => onChange(options[index]?.value)}
						/>
						<span dir="auto">{label}</span>
					</label>
				))}
			</ChoiceField>
		);
	}
	return (
		<LabelledField frame={frame}>
			<select
				id={frame.id}
				aria-describedby={describedBy(frame)}
				aria-required={frame.isRequired}
				aria-invalid={frame.messages.length > 0}
				value={String(chosen)}
				onChange={(event) => onChange(options[Number(event.currentTarget.value)]?.value)}
			>
				<option value="-1">{canBeOpen ? 'No answer' : 'Choose…'}</option>
				{options.map(({ label }, index) => (
					<option key={index} value={String(index)}>
						{label}
					</option>
				))}
			</select>
		</LabelledField>
	);
}

/** Any number of values, in the order in which they are offered. */
export function Choices({ frame, options, value, onChange }: ChoiceProps) {
	const chosen = Array.isArray(value) ? value : [];
	const has = (option: Option) => chosen.some((entry) => same(entry, option.value));
	return (
		<ChoiceField frame={frame} isSingle={false}>
			{options.map((option, index) => (
				<label key={index} class="choice">
					<input
						type="checkbox"
						checked={has(option)}
						onChange={() => {
							const next = options.filter((other) => (other === option ? !has(other) : has(other)));
							onChange(
								next.length === 0 && !frame.isRequired ? undefined : next.map((it) => it.value),
							);
						}}
					/>
					<span dir="auto">{option.label}</span>
				</label>
			))}
		</ChoiceField>
	);
}
