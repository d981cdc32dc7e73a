import { escapeHtml } from '../../shared/lib/escape-html.ts';

/** The path of the style of the server's own pages: a file, because the content policy forbids inline styles. */
export const pageStylePath = '/api/page.css';

/** Readable at 320 px, in the dark and in print; contrast at least 7:1. */
export const pageStyle = `
:root { color-scheme: light dark; --text: #1b1f1d; --page: #fbfaf7; --line: #c9cdc6; --accent: #0b4f3c; --on-accent: #ffffff; --soft: #f0efe9; font: 1.0625rem/1.6 system-ui, sans-serif; }
@media (prefers-color-scheme: dark) { :root { --text: #f0f2ee; --page: #14181a; --line: #414a4d; --accent: #8fdcbd; --on-accent: #0d1a15; --soft: #1f2528; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 52rem; padding: 1.5rem 1rem 4rem; background: var(--page); color: var(--text); overflow-wrap: anywhere; }
h1 { font-size: 1.75rem; line-height: 1.2; }
h2 { font-size: 1.1875rem; margin-block: 0 0.5rem; scroll-margin-top: 1rem; }
section { border-top: 1px solid var(--line); margin-block-start: 2rem; padding-block-start: 1.5rem; }
a { color: var(--accent); }
nav ul { list-style: none; margin: 0; padding: 0; }
nav a, summary { display: block; min-block-size: 3rem; padding-block: 0.6875rem; }
summary { cursor: pointer; display: list-item; list-style-position: inside; }
.method { display: inline-block; border: 1px solid; border-radius: 0.25rem; color: var(--accent); font-size: 0.875rem; padding: 0 0.5rem; }
code { font: 0.9375em/1.5 ui-monospace, "Cascadia Mono", Menlo, monospace; }
pre { background: var(--soft); border: 1px solid var(--line); border-radius: 0.5rem; margin: 0; max-block-size: 28rem; overflow: auto; overflow-wrap: normal; padding: 0.75rem; }
dl { display: grid; gap: 0.25rem 1rem; grid-template-columns: max-content minmax(0, 1fr); margin: 0 0 0.75rem; }
dt { font-weight: 700; }
dd { margin: 0; }
button { background: var(--accent); border: 0; border-radius: 0.5rem; color: var(--on-accent); cursor: pointer; font: inherit; font-weight: 600; min-block-size: 3rem; padding: 0.5rem 1.25rem; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
@media print { details:not([open]) { display: none; } nav { display: none; } }
`;

interface PageFiles {
  /** Addresses of further style sheets and of scripts: the content policy takes neither inside a page. */
  styles?: readonly string[];
  scripts?: readonly string[];
}

/** A page of the server's own. `content` is HTML, escaped by the caller. */
export function htmlPage(title: string, content: string, { styles = [], scripts = [] }: PageFiles = {}): string {
  return `<!doctype html>
<html lang="en-NZ">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)} - Dwang</title>
${[pageStylePath, ...styles].map((href) => `<link rel="stylesheet" href="${href}">`).join('\n')}
${scripts.map((src) => `<script type="module" src="${src}"></script>`).join('\n')}
</head>
<body>
<main>
${content}
</main>
</body>
</html>
`;
}
