/*
 * Safari deletes what a site's scripts have stored after seven days without a visit, and leaves the cookies that a
 * server has set (docs/browsers.md). Two of those tell the app afterwards what was cleared. Without signal no cookie
 * can be had, but one can be taken away: that is how a phone notes that something waits.
 */

/** ISO instant: this browser keeps a person's data, all of which had been sent by then. */
export const keptCookie = 'dwang-kept';
/** There while nothing has begun to wait since. */
export const sentCookie = 'dwang-sent';
/**
 * All there while at most one thing waits. Of `n` things 2 to `n` are taken away, and the last stays, so that there is
 * a difference to a browser that has none of them: an older app's, in which nothing was counted.
 */
export const countCookies = (): string[] => Array.from({ length: maxCounted }, (_, at) => `dwang-sent-${at + 2}`);
/** From here on it is "or more". */
export const maxCounted = 9;
/** `POST {"allSent": true}` gives the first two; with `"counts": true` those that count as well. */
export const keptNotePath = '/api/kept-note';
