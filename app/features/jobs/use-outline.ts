import { useCallback, useEffect, useState } from 'react';
import { useApp } from '../../context/app-context.ts';
import { fetchWithTimeout } from '../../session/fetch-with-timeout.ts';
import address from './nz.svg';
import { readOutline, type Outline } from './outline.ts';

/** The outline of the country; `missing` where it is not on this device yet and cannot be fetched. */
export function useOutline(): {
  readonly outline: Outline | 'reading' | 'missing';
  readonly retry: () => void;
} {
  const { log } = useApp();
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
  // Signal again: nobody should have to ask twice.
  useEffect(() => {
    if (outline !== 'missing') return undefined;
    window.addEventListener('online', retry);
    return () => window.removeEventListener('online', retry);
  }, [outline, retry]);
  return { outline, retry };
}
