import type { StoragePort } from '../sync/ports.ts';

/** Absent where the browser gives no access (an insecure origin). */
export function browserStorage(): StoragePort | undefined {
  const { storage } = navigator as { storage?: StorageManager };
  if (storage === undefined) return undefined;
  return { persist: () => storage.persist(), estimate: () => storage.estimate() };
}
