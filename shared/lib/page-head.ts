import { html } from './html.ts';

export interface PageHead {
  /** The title as in the tab, name of the product included. */
  readonly title: string;
  readonly description: string;
  /** The page's own path, without query or hash. */
  readonly path: string;
  /** Origin for addresses that must be whole; without one (pages kept on the device) they are left out. */
  readonly origin?: string;
  /** `profile` for a business; `website` where absent. */
  readonly type?: 'website' | 'profile';
  /** Search engines are not to list it; sharing shows it all the same. */
  readonly isUnlisted?: boolean;
}

/** Drawn by `scripts/draw-share-picture.ts`. */
const picture = {
  path: '/share.png',
  width: 1200,
  height: 630,
  words: 'Dwang: connecting homeowners and tradies across New Zealand',
};

/**
 * The head of a page for readers that run no script: search engines, and the apps a link is shared in
 * (Open Graph, and the two Twitter names that have no counterpart there). Every value is escaped.
 */
export function pageHead({ title, description, path, origin, type = 'website', isUnlisted = false }: PageHead): string {
  const meta = (name: 'name' | 'property', key: string, value: string) =>
    html`<meta data-page ${name}="${key}" content="${value}" />`;
  return [
    html`<title>${title}</title>`,
    meta('name', 'description', description),
    ...(isUnlisted ? [meta('name', 'robots', 'noindex')] : []),
    ...(origin === undefined
      ? []
      : [html`<link data-page rel="canonical" href="${origin + path}" />`, meta('property', 'og:url', origin + path)]),
    meta('property', 'og:title', title),
    meta('property', 'og:description', description),
    meta('property', 'og:type', type),
    meta('property', 'og:site_name', 'Dwang'),
    meta('property', 'og:locale', 'en_NZ'),
    ...(origin === undefined
      ? []
      : [
          meta('property', 'og:image', origin + picture.path),
          meta('property', 'og:image:width', String(picture.width)),
          meta('property', 'og:image:height', String(picture.height)),
          meta('property', 'og:image:alt', picture.words),
        ]),
    meta('name', 'twitter:card', 'summary_large_image'),
  ].join('\n    ');
}
