import { join } from 'node:path';
import { html, type Html } from '../../../shared/lib/html.ts';
import { brandHeader, brandStylePath, displayFace } from '../../http/brand.ts';
import { readInlineStyle } from '../../http/inline-style.ts';
import type { KeptMail } from './kept-mail.ts';

const style = readInlineStyle(brandStylePath, join(import.meta.dirname, 'mailbox.css'));

/** Only this style sheet and the display face may apply, and nothing else may load or run. */
export const mailboxPagePolicy = `default-src 'none'; style-src ${style.source}; font-src 'self'; base-uri 'none'; frame-ancestors 'none'`;

const when = new Intl.DateTimeFormat('en-NZ', {
  dateStyle: 'medium',
  timeStyle: 'medium',
  timeZone: 'Pacific/Auckland',
});

/** A mail is shown as in a mail program, with its own styles and nothing else; it runs nothing, and is of no origin. */
export const shownMailPolicy = `sandbox allow-popups; default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

function mailArticle({ row, to, subject, text, links, at }: KeptMail): Html {
  const items = links.map((link) => html`<li><a href="${link}">${link}</a></li>`);
  return html`<article>
    <h2>${subject}</h2>
    <p>To ${to}, <time datetime="${at}">${when.format(new Date(at))}</time></p>
    <p><a class="shown" href="/dev/mailbox/${row}">As a mail program shows it</a></p>
    <p class="text">${text}</p>
    ${
      items.length > 0
        ? html`<ul aria-label="Links in this mail">
            ${items}
          </ul>`
        : undefined
    }
  </article>`;
}

/**
 * The mails as a page that needs no script; html parts are shown on pages of their own, so no mail can run anything
 * here.
 */
export function mailboxPage(mails: readonly KeptMail[]): string {
  return String(
    html`<!doctype html>
      <html lang="en-NZ">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <title>Mailbox (${mails.length}) - Dwang test mail</title>
          ${displayFace} ${style.element}
        </head>
        <body>
          ${brandHeader('Test mail')}
          <main>
            <h1>Mailbox</h1>
            <p>No mail server is set up, so Dwang keeps its mail here. Newest first. Reload the page for new mail.</p>
            ${mails.length === 0 ? html`<p>No mail yet.</p>` : mails.map(mailArticle)}
          </main>
        </body>
      </html>`,
  );
}
