import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { html, trustedHtml, type Html } from '../../shared/lib/html.ts';

const display = `font-family:'Avenir Next Condensed','Roboto Condensed','Liberation Sans Narrow','Arial Narrow',Arial,sans-serif`;
const body = `font-family:-apple-system,'Segoe UI',Roboto,Arial,sans-serif`;

/**
 * Mail programs drop style sheets, so everything stands at its element too; the sheet is for the dark ones that keep
 * it.
 */
const dark = html`<style>
  ${trustedHtml(readFileSync(join(import.meta.dirname, 'mail-dark.css'), 'utf8'))}
</style>`;

/** The mark of two studs and the dwang between them, in borders: many mail programs show neither SVG nor pictures. */
const mark = html`<span
  style="display:inline-block;width:8px;height:22px;border:solid #edf3ee;border-width:0 4px;vertical-align:middle"
  ><span style="display:block;height:5px;margin-top:11px;background:#ff8a1f;font-size:0;line-height:5px"
    >&nbsp;</span
  ></span
>`;

interface MailPage {
  title: string;
  parts: readonly Html[];
  /** The words under the page: why it came. */
  foot: Html;
}

/**
 * The HTML part of a mail of ours. Needs no picture and no script, and nothing in it is fetched. A mail program makes
 * no link of what a person wrote.
 */
export function mailPage({ title, parts, foot }: MailPage): string {
  return String(
    html`<!doctype html>
      <html lang="en-NZ">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="color-scheme" content="light dark" />
          <meta name="format-detection" content="telephone=no, date=no, address=no, email=no, url=no" />
          <title>${title}</title>
          ${dark}
        </head>
        <body class="g" style="margin:0;background:#f1f4ef">
          <div class="g" style="background:#f1f4ef;padding:0 0 32px">
            <div style="max-width:560px;margin:0 auto">
              <div
                style="background:#122019;padding:14px 24px;color:#edf3ee;${display};font-size:24px;font-weight:700;line-height:28px"
              >
                ${mark}&nbsp; Dwang
              </div>
              <div class="c" style="background:#ffffff;padding:28px 24px 24px">
                <h1
                  class="t"
                  style="margin:0 0 12px;${display};font-size:27px;line-height:31px;font-weight:700;color:#12201a"
                >
                  ${title}
                </h1>
                ${parts}
              </div>
              <div class="s" style="padding:18px 24px 0;${body};font-size:14px;line-height:22px;color:#384941">
                ${foot}
              </div>
            </div>
          </div>
        </body>
      </html>`,
  );
}

/** `strong`: what the mail is about, in our own words. */
export function mailText(words: string, tone: 'plain' | 'strong' = 'plain'): Html {
  return tone === 'plain'
    ? html`<p class="s" style="margin:0 0 16px;${body};font-size:16px;line-height:24px;color:#384941">${words}</p>`
    : html`<p class="t" style="margin:0 0 16px;${body};font-size:19px;line-height:26px;font-weight:700;color:#12201a">
        ${words}
      </p>`;
}

/**
 * Another's words, quoted: what they are and whose stands right before them, and a bar at their side, so that no
 * business can be called like us and pass for us.
 */
export function mailQuote(label: string, words: string): Html {
  return html`<div class="q" style="margin:0 0 16px;padding:0 0 0 14px;border-left:4px solid #6b7b72;${body}">
    <p class="s" style="margin:0;font-size:15px;line-height:22px;color:#384941">${label}:</p>
    <p class="t" style="margin:2px 0 0;font-size:19px;line-height:26px;color:#12201a">${words}</p>
  </div>`;
}

/** One of several things a mail tells of: a link, and what is known of it. `title`: a person's own words, quoted. */
export function mailItem(href: string, title: string, facts: string): Html {
  return html`<p class="s" style="margin:0 0 16px;${body};font-size:16px;line-height:24px;color:#384941">
    <a class="t" href="${href}" style="font-size:19px;line-height:26px;font-weight:700;color:#12201a">${title}</a
    ><br />${facts}
  </p>`;
}

/** `main`: what the mail is for, once a mail. */
export function mailButton(href: string, words: string, kind: 'main' | 'other'): Html {
  return kind === 'main'
    ? html`<a
        href="${href}"
        style="display:block;margin-top:12px;background:#ff8a1f;border:2px solid #12201a;border-bottom-width:5px;border-radius:6px;padding:14px 12px;text-align:center;text-decoration:none;color:#1a1004;${display};font-size:21px;line-height:26px;font-weight:700"
        >${words}</a
      >`
    : html`<a
        href="${href}"
        class="h"
        style="display:block;margin-top:12px;background:#ffffff;border:2px solid #6b7b72;border-radius:6px;padding:13px 12px;text-align:center;text-decoration:none;color:#12201a;${display};font-size:18px;line-height:22px;font-weight:700"
        >${words}</a
      >`;
}
