/**
 * Details of a test that Chromium runs on every change, and Firefox and WebKit in `npm run test:long`: what it is about
 * is decided by the server or by code of ours, not by the engine. `playwright.config.ts` reads the tag.
 */
export const longElsewhere = { tag: '@long-elsewhere' };
