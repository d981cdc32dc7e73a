import { useEffect, useState } from 'react';
import { useApp } from '../../context/app-context.ts';
import { useDeferredImport } from '../../hooks/use-deferred-import.ts';

const load = () => import('./keep-screen.tsx');
/** Until then the first screen has the line and the processor for itself. */
const settledMs = 3_000;

/** What keeps a page for its next start; undefined until the first screen is through. */
export function useKeepScreen(): Awaited<ReturnType<typeof load>> | undefined {
  const { log } = useApp();
  const [isSettled, setSettled] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(true), settledMs);
    return () => clearTimeout(timer);
  }, []);
  return useDeferredImport(isSettled, load, (error) => log('keep-screen', String(error)));
}
