import { IDBIndex, IDBObjectStore } from 'fake-indexeddb';

/*
 * WebKit cannot open a cursor that leaves equal keys out where there are no keys: "UnknownError: Unable to open cursor"
 * (https://bugs.webkit.org/show_bug.cgi?id=319640). The double opens none at all, so that no code counts on records
 * being there.
 */
for (const { prototype } of [IDBIndex, IDBObjectStore]) {
  for (const name of ['openCursor', 'openKeyCursor'] as const) {
    const open = prototype[name] as (...asked: unknown[]) => IDBRequest;
    prototype[name] = function openPlain(this: unknown, ...asked: unknown[]) {
      if (String(asked[1]).endsWith('unique')) throw new DOMException('Unable to open cursor', 'UnknownError');
      return open.apply(this, asked);
    };
  }
}
