import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { html, type Html } from '../../shared/lib/html.ts';
import { brandHeader, brandStyle, displayFace } from './brand.ts';

/** The path of the style of the server's own pages: a file, because the content policy forbids inline styles. */
export const pageStylePath = '/api/page.css';
export const pageStyle = brandStyle + readFileSync(join(import.meta.dirname, 'page.css'), 'utf8');

interface PageFiles {
  /** Addresses of further style sheets and of scripts: the content policy takes neither inside a page. */
  styles?: readonly string[];
  scripts?: readonly string[];
}

/** A page of the server's own. */
export function htmlPage(title: string, content: Html, { styles = [], scripts = [] }: PageFiles = {}): string {
  return String(
    html`<!doctype html>
      <html lang="en-NZ">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="color-scheme" content="light dark" />
          <title>${title} - Dwang</title>
          ${displayFace} ${[pageStylePath, ...styles].map((href) => html`<link rel="stylesheet" href="${href}" />`)}
          ${scripts.map((src) => html`<script type="module" src="${src}"></script>`)}
        </head>
        <body>
          ${brandHeader()}
          <main>${content}</main>
        </body>
      </html>`,
  );
}
