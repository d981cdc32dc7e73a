import { createHash } from 'node:crypto';
import { escapeHtml } from '../../../shared/lib/escape-html.ts';
import type { KeptMail } from './kept-mail.ts';

const style = `
:root { color-scheme: light dark; font: 1.0625rem/1.6 system-ui, sans-serif; }
body { margin: 0 auto; max-width: 44rem; padding: 1.5rem 1rem 4rem; overflow-wrap: anywhere; }
article { border: 1px solid; border-radius: 0.5rem; margin-block: 1rem; padding: 0.5rem 1rem; }
h2 { font-size: 1.125rem; margin-block: 0.5rem; }
p.text { white-space: pre-wrap; }
a { display: inline-block; padding-block: 0.5rem; }
a:focus-visible { outline: 3px solid; outline-offset: 2px; }
`;

/** Only this style sheet may apply, and nothing else may load or run. */
export const mailboxPagePolicy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; base-uri 'none'; frame-ancestors 'none'`;

const when = new Intl.DateTimeFormat('en-NZ', {
  dateStyle: 'medium',
  timeStyle: 'medium',
  timeZone: 'Pacific/Auckland',
});

function linkItem(link: string): string {
  const safe = escapeHtml(link);
  return `<li><a href="${safe}">${safe}</a></li>`;
}

function mailArticle({ to, subject, text, links, at }: KeptMail): string {
  return `<article>
<h2>${escapeHtml(subject)}</h2>
<p>To ${escapeHtml(to)}, <time datetime="${at}">${when.format(new Date(at))}</time></p>
<p class="text">${escapeHtml(text)}</p>
${links.length > 0 ? `<ul aria-label="Links in this mail">${links.map(linkItem).join('')}</ul>` : ''}
</article>`;
}

/** The mails as a page that needs no script; html parts are never shown, so no mail can run anything here. */
export function mailboxPage(mails: readonly KeptMail[]): string {
  return `<!doctype html>
<html lang="en-NZ">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Mailbox (${mails.length}) - Dwang test mail</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>Mailbox</h1>
<p>No mail server is set up, so Dwang keeps its mail here. Newest first. Reload the page for new mail.</p>
${mails.length === 0 ? '<p>No mail yet.</p>' : mails.map(mailArticle).join('\n')}
</main>
</body>
</html>
`;
}
