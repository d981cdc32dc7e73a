import { Fragment } from 'react';
import { Outlet } from '@tanstack/react-router';
import { useAuthState } from '../context/app-context.ts';
import { StartUp } from '../features/frame/start-up.tsx';

/** What is behind it waits until the session is read; on a warm start that is at once, also without signal. */
export function GatedLayout() {
  const authState = useAuthState();
  if (authState.kind === 'starting' || authState.kind === 'unable') return <StartUp authState={authState} />;
  // Nothing that a screen holds, a half-written text above all, may be seen or sent by the next person (I17).
  return (
    <Fragment key={authState.kind === 'signed-in' ? authState.context.userId : ''}>
      <Outlet />
    </Fragment>
  );
}
