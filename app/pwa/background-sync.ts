/** Fixed: workers of older versions listen for it too. */
export const syncTag = 'dwang-outbox';

/** Not in the platform's types: Background Sync is Chromium's alone. */
interface WithSync {
  sync?: { register(tag: string): Promise<void> };
}

/**
 * Asks the browser to wake the service worker when there is signal, so that what waits is sent with the app closed
 * (C9). False where it cannot: then the words are "Sends when the app is open". Call after each enqueue; a repeat is
 * the same request.
 */
export async function askForBackgroundSync(
  container: Pick<ServiceWorkerContainer, 'getRegistration'> | undefined,
): Promise<boolean> {
  try {
    const registration = (await container?.getRegistration()) as (ServiceWorkerRegistration & WithSync) | undefined;
    if (registration?.sync === undefined) return false;
    await registration.sync.register(syncTag);
    return true;
  } catch {
    // The person, or the browser's settings, do not allow it.
    return false;
  }
}
