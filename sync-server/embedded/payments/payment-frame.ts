import { join } from 'node:path';
import { pathOf } from '../../../shared/routes.ts';
import { html, type Html } from '../../../shared/lib/html.ts';
import { brandHeader, brandStylePath, displayFace, drawing } from '../../http/brand.ts';
import { readInlineStyle } from '../../http/inline-style.ts';

const style = readInlineStyle(brandStylePath, join(import.meta.dirname, 'payments.css'));

/** Only this style sheet and the display face may apply, nothing runs, and forms go back to where they came from. */
export const paymentPagePolicy = [
  `default-src 'none'`,
  `style-src ${style.source}`,
  `font-src 'self'`,
  `form-action 'self'`,
  `base-uri 'none'`,
  `frame-ancestors 'none'`,
].join('; ');

/** A whole page around `main`. */
export function paymentPage(title: string, main: Html): string {
  return String(
    html`<!doctype html>
      <html lang="en-NZ">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="robots" content="noindex" />
          <title>${title} - Dwang test payments</title>
          ${displayFace} ${style.element}
        </head>
        <body>
          ${brandHeader('Secure payment')}
          <p class="test">Test payments: no money moves</p>
          <main>${main}</main>
        </body>
      </html>`,
  );
}

/** A page that says why there is nothing to do here, with a way back. */
export function lostPage(title: string, why: string, back = pathOf('/dashboard')): string {
  return paymentPage(
    title,
    html`${drawing('lost')}
      <h1>${title}</h1>
      <p>${why}</p>
      <p><a class="way" href="${back}">Back to Dwang</a></p>`,
  );
}

const day = new Intl.DateTimeFormat('en-NZ', { dateStyle: 'medium', timeZone: 'Pacific/Auckland' });
const dollars = new Intl.NumberFormat('en-NZ', { style: 'currency', currency: 'NZD', currencyDisplay: 'narrowSymbol' });

export const showDay = (seconds: number) => day.format(new Date(seconds * 1000));
export const showCents = (cents: number) => dollars.format(cents / 100);

/** Names and values under each other. */
export function facts(lines: readonly (readonly [string, string])[]): Html {
  return html`<dl>
    ${lines.map(
      ([name, value]) =>
        html`<div class="${name === 'To pay today' ? 'today' : ''}">
          <dt>${name}</dt>
          <dd>${value}</dd>
        </div>`,
    )}
  </dl>`;
}
