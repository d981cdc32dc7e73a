/*
 * The bare engine beside which the product's is measured: rows in IndexedDB and in memory, and a server that does as it
 * is told. No rights, no checks, no conflicts, no other tab. Strictly durable where the product's is. Each function
 * runs in a page of the lower bound's own, and can use nothing from outside of it.
 */

declare global {
  interface Window {
    bare: Bare;
  }
}

interface Bare {
  open(): Promise<IDBDatabase>;
  /** Rows of a column-wise body. */
  rowsOf(columns: Record<string, unknown[]>): Record<string, unknown>[];
  done(transaction: IDBTransaction): Promise<void>;
}

/** Puts what the others share into the page. */
export function prepareBare(): void {
  window.bare = {
    open: async () => {
      const opening = indexedDB.open('bare', 1);
      opening.onupgradeneeded = () => {
        opening.result.createObjectStore('bodies');
        opening.result.createObjectStore('jobs', { keyPath: 'id' });
        opening.result.createObjectStore('queue', { autoIncrement: true });
      };
      await new Promise((resolve, reject) => {
        opening.onsuccess = resolve;
        opening.onerror = reject;
      });
      return opening.result;
    },
    rowsOf: (columns) => {
      const named = Object.entries(columns);
      return (columns['id'] ?? []).map((_id, at) => {
        const row: Record<string, unknown> = {};
        for (const [column, values] of named) row[column] = values[at];
        return row;
      });
    },
    done: (transaction) =>
      new Promise((resolve, reject) => {
        transaction.oncomplete = () => resolve();
        transaction.onabort = () => reject(transaction.error ?? new Error('aborted'));
      }),
  };
}

/** Everything in one body: in memory as rows and stored as it came. */
export async function bareFirstSync(): Promise<number> {
  const { bare } = window;
  const begun = performance.now();
  const opened = bare.open();
  const text = await (await fetch('/rows', { cache: 'no-store' })).text();
  const db = await opened;
  const transaction = db.transaction('bodies', 'readwrite', { durability: 'relaxed' });
  transaction.objectStore('bodies').put(text, 'all');
  const stored = bare.done(transaction);
  window.floorRows = Object.values(JSON.parse(text) as Record<string, Record<string, unknown[]>>).map(bare.rowsOf);
  await stored;
  const ms = performance.now() - begun;
  db.close();
  return ms;
}

/** 20,000 jobs as plain rows, for the restart. */
export async function bareKeepRows(): Promise<void> {
  const { bare } = window;
  const db = await bare.open();
  const { feed } = (await (await fetch('/rows')).json()) as { feed: Record<string, unknown[]> };
  const transaction = db.transaction('jobs', 'readwrite');
  for (const row of bare.rowsOf(feed)) transaction.objectStore('jobs').put(row);
  await bare.done(transaction);
  db.close();
}

/** From opening the database until 50 rows are read. */
export async function bareRestart(): Promise<number> {
  const begun = performance.now();
  const db = await window.bare.open();
  const reading = db.transaction('jobs').objectStore('jobs').getAll(null, 50);
  await new Promise((resolve) => (reading.onsuccess = resolve));
  const ms = performance.now() - begun;
  if (reading.result.length < 50) throw new Error('There are no rows.');
  db.close();
  return ms;
}

/** 200 rows asked for: parsed, and durable. */
export async function bareChanges(): Promise<{ shown: number; durable: number }> {
  const { bare } = window;
  const db = await bare.open();
  const begun = performance.now();
  const { feed } = (await (await fetch('/changed', { cache: 'no-store' })).json()) as {
    feed: Record<string, unknown[]>;
  };
  const rows = bare.rowsOf(feed);
  const shown = performance.now() - begun;
  const transaction = db.transaction('jobs', 'readwrite', { durability: 'relaxed' });
  for (const row of rows) transaction.objectStore('jobs').put(row);
  await bare.done(transaction);
  const durable = performance.now() - begun;
  db.close();
  return { shown, durable };
}

/** These rows are written one by one, each strictly durable; then sent at once, and taken off the queue. */
export async function bareQueue(rows: object[]): Promise<{ made: number; drained: number }> {
  const { bare } = window;
  const db = await bare.open();
  let begun = performance.now();
  for (const row of rows) {
    const transaction = db.transaction('queue', 'readwrite', { durability: 'strict' });
    transaction.objectStore('queue').put(row);
    await bare.done(transaction);
  }
  const made = performance.now() - begun;
  begun = performance.now();
  const reading = db.transaction('queue').objectStore('queue').getAll();
  await new Promise((resolve) => (reading.onsuccess = resolve));
  const response = await fetch('/insert', { method: 'POST', body: JSON.stringify(reading.result) });
  if (!response.ok) throw new Error(await response.text());
  const transaction = db.transaction('queue', 'readwrite', { durability: 'strict' });
  transaction.objectStore('queue').clear();
  await bare.done(transaction);
  const drained = performance.now() - begun;
  db.close();
  return { made, drained };
}

/** A filter over 20,000 rows in memory: any of three trades, within a budget. */
export async function bareQueries(count: number): Promise<number[]> {
  const { bare } = window;
  const { feed } = (await (await fetch('/rows')).json()) as { feed: Record<string, unknown[]> };
  const rows = bare.rowsOf(feed);
  const categories = [...new Set(rows.map(({ categoryId }) => categoryId))];
  return Array.from({ length: count }, (_none, at) => {
    const wanted = [0, 1, 2].map((more) => categories[(at + more) % categories.length]);
    const begun = performance.now();
    const found = rows.filter(
      ({ categoryId, budgetMax }) =>
        wanted.includes(categoryId) && !(budgetMax !== null && (budgetMax as number) > 5_000 + at * 50),
    );
    const ms = performance.now() - begun;
    if (found.length === 0) throw new Error('A query found nothing.');
    return ms;
  });
}

/** One row of 20,000 is hidden: a list is made anew without it, and its listener called. */
export async function bareEdits(count: number): Promise<number[]> {
  const { bare } = window;
  const { feed } = (await (await fetch('/rows')).json()) as { feed: Record<string, unknown[]> };
  const rows = bare.rowsOf(feed);
  const hidden = new Set<unknown>();
  return Array.from({ length: count }, (_none, at) => {
    let shownAt = Number.NaN;
    const listener = (list: readonly object[]) => {
      if (list.length === rows.length - hidden.size) shownAt = performance.now();
    };
    const begun = performance.now();
    hidden.add(rows[at]?.['id']);
    listener(rows.filter(({ id }) => !hidden.has(id)));
    return shownAt - begun;
  });
}
