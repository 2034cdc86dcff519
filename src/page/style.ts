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
.lead { margin-top: .75rem; color: var(--muted); text-wrap: pretty; }
.reason { margin-top: .75rem; white-space: pre-wrap; font-size: 1.0625rem; }
.scrolling { max-height: 45vh; overflow: auto; padding: .75rem 1rem; border: 1px solid var(--line); border-radius: 8px; }
.facts { display: grid; gap: .3rem; margin: 1.25rem 0 0; font-size: .9rem; }
.facts div { display: grid; grid-template-columns: 7.5rem minmax(0, 1fr); gap: 0 1rem; }
dt { color: var(--muted); }
dd { margin: 0; }
code, .code, pre { font-family: ui-monospace, "SF Mono", "Cascadia Code", Menlo, Consolas, "Liberation Mono", monospace; font-size: .9em; }
form { margin-top: 1.75rem; padding-top: 1.75rem; border-top: 1px solid var(--line); }
.field { margin: 0 0 1.5rem; padding: 0; border: 0; min-width: 0; }
label, legend { display: block; padding: 0; font-weight: 600; }
.mark { color: var(--bad); font-weight: 600; }
.legend { margin-bottom: 1.25rem; color: var(--muted); font-size: .875rem; }
.help { color: var(--muted); font-size: .875rem; white-space: pre-line; }
.small { font-size: .875rem; }
.small::first-letter { text-transform: uppercase; }
input:not([type=radio]), select, textarea {
	display: block; width: 100%; margin-top: .4rem; padding: .6rem .75rem; min-height: 2.75rem;
	border: 1px solid var(--edge); border-radius: 8px; background: var(--card); color: inherit; font: inherit;
}
textarea { resize: vertical; }
textarea.code { font-size: .9rem; line-height: 1.5; }
.short:not([type=radio]) { max-width: 16rem; }
.choices { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(7.25rem, 100%), 1fr)); gap: .5rem; margin-top: .5rem; }
.choice {
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
button:disabled { opacity: .6; cursor: progress; filter: none; }
button.quiet { padding: .6rem .25rem; background: none; color: var(--accent); font-weight: 500; text-decoration: underline; text-underline-offset: .2em; text-decoration-thickness: 1px; }
summary { cursor: pointer; font-weight: 500; color: var(--accent); }
summary::marker { color: var(--muted); }
.expected { margin: -.5rem 0 1.5rem; font-size: .9375rem; }
pre { margin: .6rem 0 0; max-height: 22rem; overflow: auto; padding: .75rem 1rem; border: 1px solid var(--line); border-radius: 8px; white-space: pre-wrap; }
.over .field, .over .legend { opacity: .55; }
#operator { margin-top: 1.75rem; padding-top: 1.25rem; border-top: 1px solid var(--line); }
#operator form { margin-top: 1rem; padding-top: 0; border: 0; }
#operator > .help { margin-top: .5rem; }
ol.waiting { margin: 1.5rem 0 0; padding: 0; list-style: none; border-top: 1px solid var(--line); }
ol.waiting li { padding: .9rem 0; border-bottom: 1px solid var(--line); }
ol.waiting a, ol.waiting span { font-weight: 600; overflow-wrap: anywhere; }
ol.waiting .help { margin: .25rem 0 0; }
#receipt { margin-top: 1.75rem; padding-top: 1.75rem; border-top: 1px solid var(--line); }
#receipt:focus { outline: none; }
#receipt h2 { display: flex; gap: .6rem; align-items: center; }
.tick { flex: none; width: 1.5rem; height: 1.5rem; border-radius: 50%; background: var(--accent); color: var(--accent-ink); display: grid; place-items: center; font-size: .9rem; line-height: 1; }
.recorded { margin: 1.25rem 0; border-top: 1px solid var(--line); }
.recorded div { display: grid; grid-template-columns: minmax(7rem, 2fr) 3fr; gap: .25rem 1rem; padding: .6rem 0; border-bottom: 1px solid var(--line); }
.recorded dd { white-space: pre-wrap; max-height: 16rem; overflow: auto; }
.foot { margin: 1.25rem .25rem 0; color: var(--muted); font-size: .8125rem; text-align: center; text-wrap: balance; }
.visually-hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
@media (max-width: 30rem) {
	.actions button { width: 100%; }
	.recorded div { grid-template-columns: 1fr; }
	.facts { gap: .6rem; }
	.facts div { grid-template-columns: 1fr; }
}
@media (forced-colors: active) { .choice:has(:checked) { outline: 2px solid; } }
`;
