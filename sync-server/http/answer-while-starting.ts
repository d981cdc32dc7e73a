import type { IncomingMessage, RequestListener } from 'node:http';
import { html } from '../../shared/lib/html.ts';
import { brandHeader, brandStylePath } from './brand.ts';
import { readInlineStyle } from './inline-style.ts';

const style = readInlineStyle(brandStylePath);

/** What a browser shows meanwhile: it asks again by itself. */
export const startingPage = String(
  html`<!doctype html>
    <html lang="en-NZ">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta http-equiv="refresh" content="2" />
        <title>Dwang is starting</title>
        ${style.element}
      </head>
      <body>
        ${brandHeader()}
        <main>
          <h1>Dwang is starting</h1>
          <p role="status">This takes a few seconds. The page tries again by itself.</p>
        </main>
      </body>
    </html>`,
);

export const startingPagePolicy = `default-src 'none'; style-src ${style.source}; base-uri 'none'; frame-ancestors 'none'`;

/** A person who opens a page, and not the app or a program that asks for data. */
const wantsPage = ({ url, headers }: IncomingMessage) =>
  url?.startsWith('/api/') !== true &&
  url?.startsWith('/health/') !== true &&
  headers.accept?.includes('text/html') === true;

/** Until the database is open: alive, and nothing else yet. */
export function answerWhileStarting(): RequestListener {
  return (req, res) => {
    const live = req.url?.split('?')[0] === '/health/live';
    const isPage = wantsPage(req);
    const body = live
      ? { status: 'live' }
      : { error: 'Not ready: starting', code: 'unavailable', details: { reasons: ['starting'] } };
    res.writeHead(live ? 200 : 503, {
      'Content-Type': isPage ? 'text/html; charset=utf-8' : 'application/json; charset=utf-8',
      ...(isPage && { 'Content-Security-Policy': startingPagePolicy, 'X-Content-Type-Options': 'nosniff' }),
      'Cache-Control': 'no-store',
      'Retry-After': '2',
    });
    res.end(isPage ? startingPage : JSON.stringify(body));
  };
}
