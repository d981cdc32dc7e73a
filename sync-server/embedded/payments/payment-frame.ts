import { createHash } from 'node:crypto';

/** The product's colours and type (app/ui/theme.css), as far as two small pages need them. */
const style = `
:root {
  color-scheme: light dark;
  --ground: light-dark(#f1f4ef, #0f1512); --surface: light-dark(#ffffff, #19211d);
  --ink: light-dark(#12201a, #edf3ee); --soft: light-dark(#384941, #bccac1);
  --line: light-dark(#c9d2ca, #35433b); --edge: light-dark(#6b7b72, #7d8f85);
  --accent: #ff8a1f; --on-accent: #1a1004; --accent-edge: light-dark(#12201a, #6e3500);
  --warn: light-dark(#674000, #f4c662); --warn-wash: light-dark(#fbedc9, #332708);
  --bar: light-dark(#122019, #080c0a); --on-bar: light-dark(#eef4ee, #edf3ee);
  --focus: light-dark(#12201a, #ffb877);
  font: 400 1.0625rem/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif;
}
* { box-sizing: border-box; }
body { margin: 0; min-block-size: 100dvh; background: var(--ground); color: var(--ink); overflow-wrap: anywhere; }
header { background: var(--bar); color: var(--on-bar); padding: 0.875rem clamp(1rem, 4vw, 2rem); font-weight: 700; font-size: 1.25rem; }
main { max-inline-size: 36rem; margin: 0 auto; padding: 1.5rem clamp(1rem, 4vw, 2rem) 4rem; }
h1 { font-size: clamp(1.6rem, 1.3rem + 1.5vw, 2.2rem); line-height: 1.15; margin-block: 1.25rem 1rem; text-wrap: balance; }
h2 { font-size: 1.125rem; margin-block: 0 0.25rem; }
.test { background: var(--warn-wash); color: var(--warn); border: 2px solid; border-radius: 0.375rem; padding: 0.75rem 1rem; font-weight: 700; margin: 0; }
.said { border-inline-start: 0.375rem solid var(--accent); padding: 0.75rem 1rem; background: var(--surface); margin-block: 1rem; }
.card, section { background: var(--surface); border: 1px solid var(--line); border-radius: 0.375rem; padding: 1rem 1.25rem; margin-block: 1rem; }
dl { margin: 0; }
dl div { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0.25rem 1.5rem; padding-block: 0.5rem; }
dl div + div { border-block-start: 1px solid var(--line); }
dt { color: var(--soft); }
dd { margin: 0; font-weight: 600; }
section p { margin-block: 0 0.75rem; color: var(--soft); }
.acts { display: flex; flex-wrap: wrap; gap: 0.75rem; margin-block-start: 1.25rem; }
button, .way { display: inline-flex; align-items: center; justify-content: center; min-block-size: 3rem; padding: 0.5rem 1.25rem; border: 2px solid var(--edge);
  border-radius: 0.375rem; background: var(--surface); color: var(--ink); font: inherit; font-weight: 600; text-decoration: none; cursor: pointer; }
button.main { background: var(--accent); color: var(--on-accent); border-color: var(--accent-edge); flex: 1 1 12rem; }
button:hover, .way:hover { border-color: var(--ink); }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; }
`;

/** Only this style sheet may apply, nothing runs, and forms go back to where they came from. */
export const paymentPagePolicy = [
  `default-src 'none'`,
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  `form-action 'self'`,
  `base-uri 'none'`,
  `frame-ancestors 'none'`,
].join('; ');

/** A whole page around `main`, which is HTML already. */
export function paymentPage(title: string, main: string): string {
  return `<!doctype html>
<html lang="en-NZ">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} - Dwang test payments</title>
<style>${style}</style>
</head>
<body>
<header>Dwang</header>
<main>
<p class="test">Test payments: no money moves</p>
${main}
</main>
</body>
</html>
`;
}

/** A page that says why there is nothing to do here, with a way back. */
export function lostPage(title: string, why: string, back = '/dashboard'): string {
  return paymentPage(title, `<h1>${title}</h1>\n<p>${why}</p>\n<p><a class="way" href="${back}">Back to Dwang</a></p>`);
}

const day = new Intl.DateTimeFormat('en-NZ', { dateStyle: 'medium', timeZone: 'Pacific/Auckland' });
const dollars = new Intl.NumberFormat('en-NZ', { style: 'currency', currency: 'NZD', currencyDisplay: 'narrowSymbol' });

export const showDay = (seconds: number) => day.format(new Date(seconds * 1000));
export const showCents = (cents: number) => dollars.format(cents / 100);

/** Names and values under each other; both are HTML already. */
export function facts(lines: readonly (readonly [string, string])[]): string {
  return `<dl>${lines.map(([name, value]) => `<div><dt>${name}</dt><dd>${value}</dd></div>`).join('')}</dl>`;
}
