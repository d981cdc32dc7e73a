import type { WakeReason } from './ports.ts';

export interface WakeSources {
  /** `window`, or a worker's global scope. */
  page: Pick<EventTarget, 'addEventListener' | 'removeEventListener'>;
  /** `document`; none in a worker. */
  document?: Pick<EventTarget, 'addEventListener' | 'removeEventListener'>;
  isVisible(): boolean;
}

/**
 * The browser's hints that the network may be back (C8): `online`, `pageshow` (also out of the back-forward cache),
 * becoming visible; and that it may be gone: `offline`. Hints only: the requests themselves show whether there is a
 * network. Returns the function that stops listening.
 */
export function listenForWakes(
  { page, document, isVisible }: WakeSources,
  wake: (reason: WakeReason) => void,
): () => void {
  const online = () => wake('online');
  const offline = () => wake('offline');
  const pageshow = () => wake('pageshow');
  const visible = () => {
    if (isVisible()) wake('visible');
  };
  page.addEventListener('online', online);
  page.addEventListener('offline', offline);
  page.addEventListener('pageshow', pageshow);
  document?.addEventListener('visibilitychange', visible);
  return () => {
    page.removeEventListener('online', online);
    page.removeEventListener('offline', offline);
    page.removeEventListener('pageshow', pageshow);
    document?.removeEventListener('visibilitychange', visible);
  };
}
