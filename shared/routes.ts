/** How a page of the app is served, to every caller. */
export interface PageFacts {
  /** Who may read it: everyone, or only a person who is signed in; search engines are kept from the latter. */
  readonly reader: 'public' | 'member';
  /** The file that it is prerendered in; the empty frame otherwise. */
  readonly file?: string;
  /** Prerendered whole, so that it shows without any script; also kept on the device. */
  readonly isWhole?: boolean;
}

/**
 * The pages of the app, the one list that the router, the server and the service worker read. `$id`: any one
 * part of a path. A path that is not here does not compile as a route, and
 * a page without one does not compile in app/routes/router.tsx.
 */
export const pages = {
  '/': { reader: 'public', file: 'home.html', isWhole: true },
  '/legal': { reader: 'public', file: 'legal.html', isWhole: true },
  '/find-tradies': { reader: 'public', file: 'find-tradies.html' },
  '/tradie/$id': { reader: 'public', file: 'tradie.html' },
  '/job/$id': { reader: 'public' },
  '/dashboard': { reader: 'member' },
  '/post-job': { reader: 'member' },
  '/find-jobs': { reader: 'member' },
  '/edit-job/$id': { reader: 'member' },
  '/become-tradie': { reader: 'member' },
  '/edit-tradie': { reader: 'member' },
  '/edit-account': { reader: 'member' },
  '/waiting': { reader: 'member' },
} as const satisfies Record<`/${string}`, PageFacts>;

export type PagePath = keyof typeof pages;

/** The address of a page within the site: `pathOf('/job/$id', id)`. A page that is not in the list does not compile. */
export const pathOf = <Page extends PagePath>(
  page: Page,
  ...[id = '']: Page extends `${string}$id` ? [id: string] : []
) => page.replace('$id', id);

/** The pages that are prerendered whole: address and file. */
export const wholePages: readonly { readonly path: PagePath; readonly file: string }[] = Object.entries<PageFacts>(
  pages,
).flatMap(([path, { file, isWhole = false }]) =>
  isWhole && file !== undefined ? [{ path: path as PagePath, file }] : [],
);

/**
 * Addresses that begin with one of these are never the app's: calls, embedded counterparts of hosted services, and
 * operations.
 */
const machinery = /^\/(api|auth|storage|dev|health|metrics)(\/|$)/;

export function isMachinery(path: string): boolean {
  return machinery.test(path);
}

const expressions = Object.keys(pages).map((path) => ({
  path: path as PagePath,
  expression: new RegExp(`^${path.replace('$id', '[^/]+')}${path === '/' ? '' : '/?'}$`),
}));

/** The page of this address, with or without a slash at its end. */
export function pageAt(address: string): PagePath | undefined {
  return expressions.find(({ expression }) => expression.test(address))?.path;
}

/** What robots must not fetch: path prefixes. */
export const memberPaths: readonly string[] = Object.entries<PageFacts>(pages).flatMap(([path, { reader }]) =>
  reader === 'member' ? [path.replace('$id', '')] : [],
);
