/**
 * `POST`: the browser shall give up the pages of this site that it keeps for the way back. WebKit's sleep with whatever
 * they have begun in the storage, and others wait for it (docs/browsers.md).
 */
export const keptPagesPath = '/api/kept-pages';
/**
 * What says so in an answer, and in a document: of the page that it replaces. Nothing else that is stored goes with it
 * but files at hand.
 */
export const giveUpKeptPages = { 'Clear-Site-Data': '"cache"' } as const;
