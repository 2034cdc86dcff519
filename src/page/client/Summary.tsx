export interface SummaryLine {
	readonly text: string;
	/** What the line is about. */
	readonly control?: HTMLElement;
}

/** What keeps the answer from being sent, read out as it comes up. */
export function Summary({
	title,
	lines,
}: {
	readonly title: string;
	readonly lines: readonly SummaryLine[];
}) {
	return (
		<div class="alert" role="alert" tabIndex={-1}>
			<strong>{title}</strong>
			{lines.length === 1 && lines[0]?.control === undefined ? (
				<p dir="auto">{lines[0]?.text}</p>
			) : (
				<ul>
					{lines.map(({ text, control }, index) => (
						<li key={index} dir="auto">
							{control === undefined ? (
								text
							) : (
								<a
									href={`#${control.id}`}
									onClick={(event) => {
										event.preventDefault();
										control.focus();
									}}
								>
									{text}
								</a>
							)}
						</li>
					))}
				</ul>
			)}
		</div>
	);
}
