import type { Page } from '@playwright/test';

declare global {
  interface Window {
    /** What the lower bound holds in memory. */
    floorRows?: unknown;
  }
}

/**
 * Milliseconds to fetch a column-wise body and make row objects of it, in a page of the lower bound's own. Nothing is
 * stored.
 */
export function fetchRows(page: Page, path: '/rows' | '/changed', cache: RequestCache = 'no-store'): Promise<number> {
  return page.evaluate(
    async ([from, mode]) => {
      const begun = performance.now();
      const collections = JSON.parse(await (await fetch(from, { cache: mode })).text()) as Record<
        string,
        Record<string, unknown[]>
      >;
      window.floorRows = Object.values(collections).map((columns) => {
        const named = Object.entries(columns);
        return (columns['id'] ?? []).map((_id, at) => {
          const row: Record<string, unknown> = {};
          for (const [column, values] of named) row[column] = values[at];
          return row;
        });
      });
      return performance.now() - begun;
    },
    [path, cache] as const,
  );
}
