import { Outlet } from '@tanstack/react-router';
import { useLoadedApp, useAuthState } from '../context/app-context.ts';
import { StartUp } from '../features/frame/start-up.tsx';

/** What is behind it waits for the app's code, and not for the session. */
export function LoadedLayout() {
  const authState = useAuthState();
  if (useLoadedApp() !== undefined) return <Outlet />;
  return <StartUp authState={authState.kind === 'unable' ? authState : { kind: 'starting' }} />;
}
