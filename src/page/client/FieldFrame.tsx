import type { ComponentChildren } from 'preact';

export interface Frame {
	readonly id: string;
	readonly label: string;
	readonly description?: string | undefined;
	readonly hint?: string | undefined;
	readonly isRequired: boolean;
	readonly messages: readonly string[];
}

/** The ids that describe a control: its help and its problem. */
export function describedBy({ id, description, hint, messages }: Frame): string | undefined {
	const ids = [
		...(description !== undefined || hint !== undefined ? [`${id}-help`] : []),
		...(messages.length > 0 ? [`${id}-problem`] : []),
	];
	return ids.length === 0 ? undefined : ids.join(' ');
}

export const LabelText = ({ label, isRequired }: Pick<Frame, 'label' | 'isRequired'>) => (
	<>
		<bdi>{label}</bdi>
		{isRequired && (
			<>
				<span class="mark" aria-hidden="true">
					{' *'}
				</span>
				<span class="visually-hidden"> (required)</span>
			</>
		)}
	</>
);

export const Help = ({ id, description, hint }: Pick<Frame, 'id' | 'description' | 'hint'>) =>
	description === undefined && hint === undefined ? null : (
		<p class="help" id={`${id}-help`} dir="auto">
			{[description, hint].filter((part) => part !== undefined).join('\n')}
		</p>
	);

export const Problem = ({ id, messages }: Pick<Frame, 'id' | 'messages'>) =>
	messages.length === 0 ? null : (
		<p class="problem" id={`${id}-problem`} dir="auto">
			{messages.join('\n')}
		</p>
	);

/** A control with its label, help and problem. */
export const LabelledField = ({
	frame,
	children,
}: {
	readonly frame: Frame;
	readonly children: ComponentChildren;
}) => (
	<div class="field">
		<label for={frame.id}>
			<LabelText {...frame} />
		</label>
		<Help {...frame} />
		{children}
		<Problem {...frame} />
	</div>
);

/** A group of controls that give one value. */
export const ChoiceField = ({
	frame,
	isSingle,
	children,
}: {
	readonly frame: Frame;
	readonly isSingle: boolean;
	readonly children: ComponentChildren;
}) => (
	<fieldset
		class="field"
		role={isSingle ? 'radiogroup' : 'group'}
		aria-describedby={describedBy(frame)}
		{...(isSingle && frame.isRequired ? { 'aria-required': true } : {})}
		{...(isSingle && frame.messages.length > 0 ? { 'aria-invalid': true } : {})}
	>
		<legend>
			<LabelText {...frame} />
		</legend>
		<Help {...frame} />
		<div class="choices">{children}</div>
		<Problem {...frame} />
	</fieldset>
);
