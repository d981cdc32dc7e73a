/**
 * Details of a test that Firefox and WebKit run in `npm run test:long` alone; Chromium, where it has it, on every
 * change. What it is about is decided by the server or by code of ours and not by the engine, or it is one of a series
 * about pages and browsers that end in the middle of something, or of storage that goes, of which another runs on
 * every change.
 * `playwright.config.ts` reads the tag.
 */
export const longElsewhere = { tag: '@long-elsewhere' };

/**
 * Details of a test that Chromium too runs in `npm run test:long` alone: another width, another network, another person
 * of what a test beside it tries on every change, or what takes a minute and rarely changes.
 */
export const long = { tag: '@long' };

/** For files about one visit with signal: the worker's installation, once for each browser, computes over a second. */
export const withoutWorker = { serviceWorkers: 'block' } as const;
