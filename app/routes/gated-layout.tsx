import { Outlet } from '@tanstack/react-router';
import { useArrivedApp, useWho } from '../app-context.ts';
import { StartUp } from '../features/frame/start-up.tsx';

/** What stands behind it waits until it is known who is here; on a warm start that is at once, also without signal. */
export function GatedLayout() {
  const who = useWho();
  const app = useArrivedApp();
  if (who.kind === 'starting' || who.kind === 'unable') return <StartUp who={who} />;
  return app === undefined ? <StartUp who={{ kind: 'starting' }} /> : <Outlet />;
}
