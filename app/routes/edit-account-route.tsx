import { useEffect } from 'react';
import { useApp } from '../context/app-context.ts';
import { EditAccountPage } from '../features/account-page/edit-account-page.tsx';

export function EditAccountRoute() {
  const { authRedirect, toasts } = useApp();
  // A mailed link to choose a password leads here; one that was used before, or is too old, brings no session.
  useEffect(() => {
    const came = authRedirect.take();
    if (came.kind !== 'failed') return;
    toasts.show({ title: 'Error', description: came.message, variant: 'destructive' });
  }, [authRedirect, toasts]);
  return <EditAccountPage />;
}
