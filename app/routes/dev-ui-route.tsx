import { useEffect, useState } from 'react';
import { useApp } from '../context/app-context.ts';
import { DevUi } from '../features/dev-ui/dev-ui.tsx';
import { NotFoundPage } from '../features/frame/not-found-page.tsx';

/** Embedded mode only: there sign-in is on the page's own server. Elsewhere there is no such page. */
export function DevUiRoute() {
  const { caller } = useApp();
  const [isEmbedded, setEmbedded] = useState<boolean>();
  useEffect(() => {
    caller.call('config.read').then(
      ({ supabaseUrl }) => setEmbedded(new URL(supabaseUrl).origin === window.location.origin),
      () => setEmbedded(false),
    );
  }, [caller]);
  if (isEmbedded === undefined) return null;
  return isEmbedded ? <DevUi /> : <NotFoundPage />;
}
