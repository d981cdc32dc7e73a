import { Dexie } from 'dexie';

/** The device's storage is full. What the person typed is still in the form; nothing was queued (C4). */
export class StorageFull extends Error {
  constructor(cause: unknown) {
    super('This device has no room left, so this could not be saved.', { cause });
    this.name = 'StorageFull';
  }
}

/** An error and everything wrapped in it: Dexie says `inner`, bulk operations `failures`, the platform `cause`. */
function* unwrap(error: unknown, depth = 0): Generator<{ name: string; message: string }> {
  if (typeof error !== 'object' || error === null || depth > 5) return;
  const { name, message, inner, cause, failures } = error as Record<string, unknown>;
  yield { name: String(name), message: String(message) };
  yield* unwrap(inner, depth + 1);
  yield* unwrap(cause, depth + 1);
  if (Array.isArray(failures)) for (const failure of failures) yield* unwrap(failure, depth + 1);
}

const fullWords = /full disk|disk (is )?full|no space|not enough (disk )?space|DEVICE_SPACE/i;

/** Out of quota, or a disk that is full, also where the browser reports it as an aborted transaction. */
export function isQuotaExceeded(error: unknown): boolean {
  return [...unwrap(error)].some(({ name, message }) => name === 'QuotaExceededError' || fullWords.test(message));
}

/** As a person may read it: `StorageFull` where the storage was full, otherwise the error itself. */
export function orFull(error: unknown): unknown {
  return isQuotaExceeded(error) ? new StorageFull(error) : error;
}

const lostNames = new Set(['InvalidStateError', 'DatabaseClosedError']);
const lostWords = /connection.*(lost|closing|closed)|attempt to (get|open).*database.*(lost|fail)/i;

/** The connection to IndexedDB went away under us: iOS does this to apps that were asleep (C5). */
export function isConnectionLost(error: unknown): boolean {
  if (isQuotaExceeded(error)) return false;
  return [...unwrap(error)].some(({ name, message }) => lostNames.has(name) || lostWords.test(message));
}

/** Tells an error of the storage itself from one of a mutation's body. */
export function isStorageError(error: unknown): boolean {
  return error instanceof Dexie.DexieError || error instanceof DOMException || error instanceof StorageFull;
}

/** An error's kind without its text, which could name a person's row. */
export function errorName(error: unknown): string {
  return error instanceof Error || error instanceof DOMException ? error.name : typeof error;
}
