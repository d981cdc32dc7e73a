import type { Tab } from './engines/tab.ts';

/** Everything this origin stores on the device, as one text: every IndexedDB record, web storage, cache entry. */
export function deviceContents(page: Tab): Promise<string> {
  return page.evaluate(async () => {
    const decode = (value: unknown): unknown => {
      if (value instanceof ArrayBuffer) return new TextDecoder().decode(value);
      if (Array.isArray(value)) return value.map(decode);
      if (value !== null && typeof value === 'object')
        return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, decode(part)]));
      return value;
    };
    const finished = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error ?? new Error('IndexedDB request failed'));
      });
    const found: unknown[] = [{ ...localStorage }, { ...sessionStorage }];
    for (const { name } of await indexedDB.databases()) {
      if (name === undefined) continue;
      const db = await finished(indexedDB.open(name));
      for (const store of db.objectStoreNames) {
        found.push({ name, store, rows: decode(await finished(db.transaction(store).objectStore(store).getAll())) });
      }
      db.close();
    }
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const request of await cache.keys()) {
        const response = await cache.match(request);
        const type = response?.headers.get('content-type') ?? '';
        found.push({ name, url: request.url, body: /json|text|html/.test(type) ? await response?.text() : type });
      }
    }
    return JSON.stringify(found);
  });
}
