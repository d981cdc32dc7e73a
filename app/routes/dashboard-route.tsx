import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useApp } from '../context/app-context.ts';
import { DashboardPage } from '../features/jobs/dashboard-page.tsx';

/** Handles the query once and removes it from the address. */
export function DashboardRoute() {
  const { subscription, posted } = useSearch({ from: '/gated/dashboard' });
  const { toasts, offerInstallAfter, onSubscription } = useApp();
  const navigate = useNavigate();
  const [wasPosted, setPosted] = useState(posted === true);

  useEffect(() => {
    if (subscription === undefined && posted === undefined) return;
    if (posted === true) setPosted(true);
    if (subscription === 'success') {
      onSubscription();
      offerInstallAfter('subscription');
      toasts.show({
        title: 'Welcome aboard!',
        description: 'Your subscription is active. You can browse jobs and express interest.',
      });
    }
    if (subscription === 'cancelled') {
      toasts.show({
        title: 'Payment Cancelled',
        description: 'You have not been charged. What you filled in is kept.',
        variant: 'destructive',
      });
    }
    void navigate({ to: '/dashboard', search: {}, replace: true });
  }, [navigate, offerInstallAfter, onSubscription, posted, subscription, toasts]);

  return <DashboardPage wasPosted={wasPosted} onDismissPosted={() => setPosted(false)} />;
}
