/** The page's style sheet: system fonts, one column, light and dark. */
export const style = `
:root {
	color-scheme: light dark;
	--ground: #f5f4f0; --card: #fff; --ink: #20242a; --muted: #5b626c; --line: #dedbd3; --edge: #8b9099;
	--accent: #0d6656; --accent-ink: #fff; --tint: #edf6f3; --bad: #a8261c; --bad-tint: #fdf2f0;
	--warn: #7a5200; --warn-tint: #fdf6e6; --shadow: 0 1px 2px rgb(30 30 20 / .05), 0 8px 24px rgb(30 30 20 / .05);
}
@media (prefers-color-scheme: dark) {
	:root {
		--ground: #131619; --card: #1b1f23; --ink: #e8e6e1; --muted: #a4a9b0; --line: #32373d; --edge: #757c86;
		--accent: #63c7b1; --accent-ink: #06211b; --tint: #1b2e2b; --bad: #ff9d90; --bad-tint: #33201e;
		--warn: #f0c36a; --warn-tint: #2d2617; --shadow: none;
	}
}
*, ::before, ::after { box-sizing: border-box; }
[hidden] { display: none !important; }
body {
	margin: 0; background: var(--ground); color: var(--ink);
	font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
	overflow-wrap: anywhere; -webkit-text-size-adjust: 100%;
}
main { max-width: 41rem; margin: 0 auto; padding: clamp(1rem, 6vh, 4rem) 1rem 3rem; }
.card {
	background: var(--card); border: 1px solid var(--line); border-radius: 14px;
	box-shadow: var(--shadow); padding: clamp(1.25rem, 5vw, 2.5rem);
}
p { margin: 0; }
h1 { margin: 0; font-size: clamp(1.35rem, 1.1rem + 1.2vw, 1.7rem); line-height: 1.28; font-weight: 650; letter-spacing: -.012em; text-wrap: pretty; }
h2 { margin: 0; font-size: 1.2rem; line-height: 1.35; font-weight: 650; }
.nowrap { display: inline-block; }
.eyebrow { display: flex; align-items: center; gap: .55em; margin-bottom: .6rem; color: var(--muted); font-size: .875rem; }
.eyebrow::before { content: ""; flex: none; width: .55em; height: .55em; border-radius: 50%; background: var(--accent); }
.eyebrow.over::before { background: var(--muted); }
.lead { margin-top: .75rem; color: var(--muted); text-wrap: pretty; }
.reason { margin-top: .75rem; white-space: pre-wrap; font-size: 1.0625rem; }
.scrolling { max-height: 45vh; overflow: auto; padding: .75rem 1rem; border: 1px solid var(--line); border-radius: 8px; }
.facts { display: grid; gap: .3rem; margin: 1.25rem 0 0; font-size: .9rem; }
.facts div { display: grid; grid-template-columns: 7.5rem minmax(0, 1fr); gap: 0 1rem; }
dt { color: var(--muted); }
dd { margin: 0; }
dd [data-until] { color: var(--muted); }
code, .code, pre { font-family: ui-monospace, "SF Mono", "Cascadia Code", Menlo, Consolas, "Liberation Mono", monospace; font-size: .9em; }
a { color: var(--accent); text-underline-offset: .2em; text-decoration-thickness: 1px; }
#answer:not(:empty) { margin-top: 1.75rem; padding-top: 1.75rem; border-top: 1px solid var(--line); }
.plain { margin: 0; padding: 0; border: 0; min-width: 0; }
.field { margin: 0 0 1.5rem; padding: 0; border: 0; min-width: 0; }
label, legend { display: block; padding: 0; font-weight: 600; }
.mark { color: var(--bad); font-weight: 600; }
.legend { margin-bottom: 1.25rem; color: var(--muted); font-size: .875rem; }
.help { color: var(--muted); font-size: .875rem; white-space: pre-line; }
.small { font-size: .875rem; }
.small::first-letter { text-transform: uppercase; }
input:not([type=radio], [type=checkbox]), select, textarea {
	display: block; width: 100%; margin-top: .4rem; padding: .6rem .75rem; min-height: 2.75rem;
	border: 1px solid var(--edge); border-radius: 8px; background: var(--card); color: inherit; font: inherit;
}
textarea { resize: vertical; }
textarea.code { font-size: .9rem; line-height: 1.5; }
.short:not([type=radio], [type=checkbox]) { max-width: 16rem; }
.group { margin: 0 0 1.75rem; padding: .25rem 0 .25rem 1.1rem; border: 0; border-inline-start: 2px solid var(--line); min-width: 0; }
.group > legend { float: inline-start; width: 100%; margin-bottom: .75rem; font-size: 1.0625rem; font-weight: 650; }
.group > legend + * { clear: both; }
.group > .help { margin: -.5rem 0 .75rem; }
.group > .part:last-child > .field { margin-bottom: 0; }
.parts > h2 { margin-bottom: 1rem; }
.parts > h2 + .help { margin: -.75rem 0 1.25rem; }
.panel:not(:has(.part .mark)) .legend { display: none; }
.union > .part > .parts > .part:has(.fixed) { display: none; }
.entry { margin-bottom: 1.25rem; }
.entry > .part > .field, .entry > .part > .group, .entry > .part > .optional > .group { margin-bottom: .6rem; }
.optional { margin-bottom: 1.5rem; }
.optional > .group { margin-bottom: .6rem; }
.left-out { margin-bottom: .4rem; }
.union > .field { margin-bottom: 1.1rem; }
.named { margin-bottom: .6rem; }
.row { display: flex; gap: .6rem; align-items: center; margin-top: .4rem; }
.row > input { margin-top: 0 !important; }
.row > button { flex: none; }
.fixed { margin-top: .2rem; white-space: pre-wrap; }
.part > .problem { margin: -.75rem 0 1.5rem; }
.choices { display: flex; flex-wrap: wrap; gap: .5rem; margin-top: .5rem; }
.choice {
	flex: 1 1 auto; min-width: 6rem; max-width: 100%;
	display: flex; align-items: center; gap: .5rem; min-height: 2.75rem; padding: .55rem .7rem; font-weight: 400;
	border: 1px solid var(--edge); border-radius: 8px; cursor: pointer;
}
.choice:hover { background: var(--tint); }
.choice:has(:checked) { border-color: var(--accent); background: var(--tint); box-shadow: inset 0 0 0 1px var(--accent); }
.choice.none:has(:checked) { border-color: var(--edge); background: none; box-shadow: none; }
.choice input { flex: none; width: 1.1rem; height: 1.1rem; margin: 0; accent-color: var(--accent); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.choice:has(:focus-visible) { outline: 2px solid var(--accent); outline-offset: 2px; }
.choice :focus-visible { outline: none; }
.choice input[type=checkbox] { border-radius: 4px; }
.problem { margin-top: .4rem; color: var(--bad); font-size: .9375rem; white-space: pre-line; }
[aria-invalid=true]:not(fieldset) { border-color: var(--bad) !important; box-shadow: inset 0 0 0 1px var(--bad); }
fieldset[aria-invalid=true] .choice { border-color: var(--bad); }
.alert, .note { margin: 0 0 1.5rem; padding: .9rem 1.1rem; border-radius: 8px; border-inline-start: 4px solid var(--bad); background: var(--bad-tint); }
.note { border-color: var(--warn); background: var(--warn-tint); }
.alert:focus { outline: none; }
.alert strong { display: block; }
.alert ul { margin: .35rem 0 0; padding-inline-start: 1.2rem; }
.alert a { color: inherit; }
.actions { display: flex; flex-wrap: wrap; align-items: center; gap: .75rem 1.25rem; margin-top: 2rem; }
button {
	min-height: 2.85rem; padding: .6rem 1.5rem; border: 1px solid transparent; border-radius: 8px;
	background: var(--accent); color: var(--accent-ink); font: inherit; font-weight: 600; cursor: pointer;
}
button:hover { filter: brightness(1.08); }
button[aria-disabled=true] { opacity: .6; cursor: progress; filter: none; }
button.small-button { min-height: 2.35rem; padding: .3rem .9rem; border-color: var(--edge); background: none; color: inherit; font-size: .9375rem; font-weight: 500; }
button.small-button:hover { background: var(--tint); filter: none; }
button.quiet { padding: .6rem .25rem; background: none; color: var(--accent); font-weight: 500; text-decoration: underline; text-underline-offset: .2em; text-decoration-thickness: 1px; }
summary { cursor: pointer; font-weight: 500; color: var(--accent); }
summary::marker { color: var(--muted); }
.expected { margin: 1.75rem 0 0; font-size: .9375rem; }
.note { margin: 1.5rem 0 0; }
em { font-style: normal; color: var(--muted); }
pre { margin: .6rem 0 0; max-height: 22rem; overflow: auto; padding: .75rem 1rem; border: 1px solid var(--line); border-radius: 8px; white-space: pre-wrap; }
.over .legend { display: none; }
.over input, .over select, .over textarea, .over .choice { border-style: dashed; color: var(--muted); }
#operator { margin-top: 1.75rem; padding-top: 1.25rem; border-top: 1px solid var(--line); }
#operator #answer { margin-top: 1.25rem; padding-top: 0; border: 0; }
#operator > .help { margin-top: .5rem; }
ol.waiting { margin: 1.5rem 0 0; padding: 0; list-style: none; border-top: 1px solid var(--line); }
ol.waiting li { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 10.5rem); gap: .15rem 1.25rem; padding: 1rem 0; border-bottom: 1px solid var(--line); }
ol.waiting a, ol.waiting span { font-weight: 600; overflow-wrap: anywhere; }
ol.waiting .done > span { color: var(--muted); font-weight: 500; }
ol.waiting .help { grid-column: 1; margin: 0; }
.state { grid-column: 2; grid-row: 1; font-size: .875rem; color: var(--muted); text-align: end; }
.open > .state { color: var(--accent); }
.receipt h2 { display: flex; gap: .6rem; align-items: center; }
.receipt h2:focus { outline: none; }
.receipt h3 { margin: 1.75rem 0 .5rem; font-size: 1.0625rem; font-weight: 650; }
.tick { flex: none; width: 1.5rem; height: 1.5rem; border-radius: 50%; background: var(--accent); color: var(--accent-ink); display: grid; place-items: center; font-size: .9rem; line-height: 1; }
.recorded { margin: 1.25rem 0; white-space: pre-wrap; }
.recorded dl { margin: 0; border-top: 1px solid var(--line); white-space: normal; }
.recorded dl > div { display: grid; grid-template-columns: minmax(7rem, 2fr) minmax(0, 3fr); gap: .25rem 1rem; padding: .6rem 0; border-bottom: 1px solid var(--line); }
.recorded dl dl > div { padding: .1rem 0; border-bottom: 0; grid-template-columns: minmax(5rem, 1fr) minmax(0, 2fr); }
.recorded dd { max-height: 22rem; overflow: auto; white-space: pre-wrap; }
.recorded dd > dl, .recorded li > dl { border-top: 0; }
.recorded ol { margin: 0; padding-inline-start: 1.4rem; white-space: normal; }
.others ul { margin: 0 0 .75rem; padding-inline-start: 1.2rem; }
.foot { margin: 1.25rem .25rem 0; color: var(--muted); font-size: .8125rem; text-align: center; text-wrap: balance; }
.visually-hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
@media (max-width: 30rem) {
	.actions button { width: 100%; }
	.recorded dl > div { grid-template-columns: 1fr; }
	ol.waiting li { grid-template-columns: 1fr; }
	.state { grid-column: 1; grid-row: auto; text-align: start; }
	.group { padding-inline-start: .75rem; }
	.facts { gap: .6rem; }
	.facts div { grid-template-columns: 1fr; }
}
@media (forced-colors: active) { .choice:has(:checked) { outline: 2px solid; } }
`;
