import { useCallback, useEffect, useRef, useState } from 'react';
import { useApp } from '../../context/app-context.ts';
import { useWatched } from '../../context/use-watched.ts';
import { fetchWithTimeout } from '../../session/fetch-with-timeout.ts';
import address from './nz.svg';
import { readOutline, type Outline } from './outline.ts';

/** The outline of the country; `missing` where it is not on this device yet and cannot be fetched. */
export function useOutline(): {
  readonly outline: Outline | 'reading' | 'missing';
  readonly retry: () => void;
} {
  const { log, connection } = useApp();
  const [outline, setOutline] = useState<Outline | 'reading' | 'missing'>('reading');
  const [tries, setTries] = useState(0);
  useEffect(() => {
    let isGone = false;
    const show = (next: Outline | 'missing') => {
      if (!isGone) setOutline(next);
    };
    const { caches } = window as { caches?: CacheStorage };
    readOutline(address, { fetch: fetchWithTimeout(fetch.bind(window)), caches, log }).then(show, (error: unknown) => {
      log('outline', String(error));
      show('missing');
    });
    return () => {
      isGone = true;
    };
  }, [log, tries]);
  const retry = useCallback(() => {
    setOutline('reading');
    setTries((before) => before + 1);
  }, []);
  // Signal again, as an exchange that went through shows: the retry needs no tap. `navigator.onLine` comes too early
  // for it.
  const { lastSynced } = useWatched(connection);
  const missedAt = useRef<string | null>(undefined);
  useEffect(() => {
    if (outline !== 'missing') missedAt.current = undefined;
    else if (missedAt.current === undefined) missedAt.current = lastSynced;
    else if (missedAt.current !== lastSynced) retry();
  }, [outline, lastSynced, retry]);
  return { outline, retry };
}
