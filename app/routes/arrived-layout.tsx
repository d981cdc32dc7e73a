import { Outlet } from '@tanstack/react-router';
import { useArrivedApp, useWho } from '../app-context.ts';
import { StartUp } from '../features/frame/start-up.tsx';

/** What stands behind it waits for the app's code, and not for who is here. */
export function ArrivedLayout() {
  const who = useWho();
  if (useArrivedApp() !== undefined) return <Outlet />;
  return <StartUp who={who.kind === 'unable' ? who : { kind: 'starting' }} />;
}
