import { Fragment } from 'react';
import { Outlet } from '@tanstack/react-router';
import { useArrivedApp, useWho } from '../app-context.ts';
import { StartUp } from '../features/frame/start-up.tsx';

/** What stands behind it waits until it is known who is here; on a warm start that is at once, also without signal. */
export function GatedLayout() {
  const who = useWho();
  const app = useArrivedApp();
  if (who.kind === 'starting' || who.kind === 'unable') return <StartUp who={who} />;
  if (app === undefined) return <StartUp who={{ kind: 'starting' }} />;
  // Nothing that a screen holds, a half-written text above all, is ever seen or sent by the next person (I17).
  return (
    <Fragment key={who.kind === 'signed-in' ? who.context.userId : ''}>
      <Outlet />
    </Fragment>
  );
}
