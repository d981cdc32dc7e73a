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
 * becoming visible. Hints only: the requests themselves show whether there is a network. Returns the function that
 * stops listening.
 */
export function listenForWakes(
  { page, document, isVisible }: WakeSources,
  wake: (reason: WakeReason) => void,
): () => void {
  const online = () => wake('online');
  const pageshow = () => wake('pageshow');
  const visible = () => {
    if (isVisible()) wake('visible');
  };
  page.addEventListener('online', online);
  page.addEventListener('pageshow', pageshow);
  document?.addEventListener('visibilitychange', visible);
  return () => {
    page.removeEventListener('online', online);
    page.removeEventListener('pageshow', pageshow);
    document?.removeEventListener('visibilitychange', visible);
  };
}
