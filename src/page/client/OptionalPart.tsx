import type { FieldProps } from '@rjsf/utils';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { nodeOf, useForm } from './formContext';
import { proposedValue } from './proposedValue';

/** A part that may be left out: nothing of it is sent, and nothing of it is asked, until it is added. */
export function OptionalPart({
	field,
	children,
}: {
	readonly field: FieldProps<unknown>;
	readonly children: ComponentChildren;
}) {
	const node = nodeOf(field.schema);
	const { form } = useForm();
	const place = useRef<HTMLDivElement>(null);
	const wasToggled = useRef(false);
	const [isAdded, setAdded] = useState(false);
	const isLeftOut = !isAdded && (field.formData === undefined || field.formData === null);
	useEffect(() => {
		if (!wasToggled.current) return;
		wasToggled.current = false;
		place.current?.querySelector<HTMLElement>('input, select, textarea, button')?.focus();
	}, [isLeftOut]);
	if (node.optional !== true) return <>{children}</>;
	const title = node.title ?? 'this part';
	const change = (value: unknown, added: 'added' | 'left out') => {
		wasToggled.current = true;
		setAdded(added === 'added');
		field.onChange(value, field.fieldPathId.path);
	};
	return (
		<div ref={place} class="optional">
			{isLeftOut ? (
				<>
					<p class="left-out" dir="auto">
						<strong>{title}</strong> <span class="help">(optional)</span>
					</p>
					<button
						type="button"
						class="small-button"
						onClick={() => change(proposedValue(node, form.schema), 'added')}
					>
						Add<span class="visually-hidden"> {title}</span>
					</button>
				</>
			) : (
				<>
					{children}
					<button type="button" class="small-button" onClick={() => change(undefined, 'left out')}>
						Leave out <bdi>{title}</bdi>
					</button>
				</>
			)}
		</div>
	);
}
