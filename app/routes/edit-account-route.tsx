import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useApp } from '../context/app-context.ts';
import { EditAccountPage } from '../features/account-page/edit-account-page.tsx';

export function EditAccountRoute() {
  const { authRedirect, toasts } = useApp();
  const router = useRouter();
  // A mailed link to choose a password leads here; one that was used before, or is too old, brings no session.
  useEffect(() => {
    const came = authRedirect.take();
    if (came.kind !== 'failed') return;
    const next = 'For a new one choose “Forgot password?” where you sign in.';
    toasts.show({ title: 'Error', description: `${came.message}. ${next}`, variant: 'destructive' });
    // What the link said is read: a reload is not to say it again.
    void router.navigate({ to: '/edit-account', hash: '', replace: true });
  }, [authRedirect, router, toasts]);
  return <EditAccountPage />;
}
