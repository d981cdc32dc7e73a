import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { drawingBox, drawings, type Picture } from '../../shared/lib/drawings.ts';
import { html, type Html } from '../../shared/lib/html.ts';

/** The style sheet of every page that the server writes itself; each has a further one. */
export const brandStylePath = join(import.meta.dirname, 'brand.css');
export const brandStyle = readFileSync(brandStylePath, 'utf8');

/**
 * With the first bytes, as in the app (app/index.html): what comes after the first paint is for the next page
 * (`font-display: optional`).
 */
export const displayFace = html`<link
  rel="preload"
  as="font"
  type="font/woff2"
  crossorigin
  href="/assets/barlow-semi-condensed-600.woff2"
/>`;

/** The head of such a page: the mark and the name, which lead home, and what the page is. */
export const brandHeader = (note = ''): Html =>
  html`<header class="top">
    <div>
      <a class="home" href="/" aria-label="Dwang home"
        ><svg viewBox="0 0 24 24" aria-hidden="true" focusable="false">
          <path fill="currentColor" d="M4 0h4v24H4zM16 0h4v24h-4z" />
          <path fill="#ff8a1f" d="M8 12h8v5H8z" /></svg
        >Dwang</a
      >
      <span>${note}</span>
    </div>
  </header>`;

/** The app's drawing of what a page says; the words beside it say the same. */
export const drawing = (picture: Extract<Picture, 'done' | 'empty' | 'lost'>): Html =>
  html`<svg class="drawing" viewBox="${drawingBox}" aria-hidden="true" focusable="false">
    ${drawings[picture].map(([part, d]) => html`<path class="${part}" d="${d}" />`)}
  </svg>`;
