/** What the status page needs beyond the server's other pages. No colour says anything alone. */
export const statusStyle = `
:root { --bad: #8f1d14; }
@media (prefers-color-scheme: dark) { :root { --bad: #ffb4a8; } }
main { display: block; }
#said { font-size: 1.1875rem; font-weight: 700; margin-block: 0.5rem; }
.wide { overflow-x: auto; }
.wide:focus-visible { outline: 3px solid var(--accent); }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; inline-size: 100%; overflow-wrap: normal; }
th, td { border-block-end: 1px solid var(--line); padding: 0.375rem 0.75rem 0.375rem 0; text-align: start; vertical-align: top; }
td { min-inline-size: 4.5rem; }
td.figure, th.figure { text-align: end; }
li { margin-block-end: 0.75rem; }
.ok { color: var(--accent); font-weight: 700; }
.down { color: var(--bad); font-weight: 700; }
.figures { display: grid; gap: 0.75rem; grid-template-columns: repeat(auto-fill, minmax(10rem, 1fr)); margin: 0; }
.figures div { background: var(--soft); border: 1px solid var(--line); border-radius: 0.5rem; padding: 0.625rem 0.75rem; }
.figures dt { font-size: 0.9375rem; font-weight: 400; }
.figures dd { font-size: 1.25rem; font-weight: 700; }
figure { margin: 1rem 0; }
figcaption { margin-block-end: 0.25rem; }
svg { background: var(--soft); border: 1px solid var(--line); border-radius: 0.5rem; block-size: 7rem; display: block; inline-size: 100%; }
svg .bar { fill: var(--accent); }
svg .failed { fill: var(--bad); }
label { display: block; font-weight: 700; margin-block-end: 0.25rem; }
input { background: var(--page); border: 1px solid var(--text); border-radius: 0.5rem; color: inherit; font: inherit; inline-size: 100%; max-inline-size: 28rem; min-block-size: 3rem; padding: 0.5rem 0.75rem; }
form button { margin-block-start: 0.75rem; }
.error { color: var(--bad); font-weight: 700; }
`;
