import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useApp, useAuthState, useSessionContext } from '../context/app-context.ts';
import { usePerson } from '../hooks/use-person.ts';
import { FinishJoining } from '../features/onboarding/finish-joining.tsx';
import { dropOnboardingDraft, hasOnboardingDraft } from '../features/onboarding/onboarding-draft.ts';
import { DashboardPage } from '../features/jobs/dashboard-page.tsx';

/** Handles the query once and removes it from the address. */
export function DashboardRoute() {
  const { subscription, posted } = useSearch({ from: '/gated/dashboard' });
  const { toasts, onSubscription } = useApp();
  const authState = useAuthState();
  const userId = authState.kind === 'signed-in' ? authState.context.userId : undefined;
  const [hasBegun] = useState(() => userId !== undefined && hasOnboardingDraft(localStorage, userId));
  const navigate = useNavigate();
  const [isPaid, setPaid] = useState(false);
  const [newJob, setNewJob] = useState(posted);

  useEffect(() => {
    if (subscription === undefined && posted === undefined) return;
    if (posted !== undefined) setNewJob(posted);
    if (subscription === 'success') {
      onSubscription();
      setPaid(true);
    }
    if (subscription === 'cancelled') {
      toasts.show({
        title: 'Payment Cancelled',
        description: `You have not been charged.${hasBegun ? ' What you filled in is kept.' : ''}`,
        variant: 'destructive',
      });
    }
    void navigate({ to: '/dashboard', search: {}, replace: true, resetScroll: false });
  }, [hasBegun, navigate, onSubscription, posted, subscription, toasts]);

  return (
    <>
      {isPaid && authState.kind === 'signed-in' && <Welcome onWelcomed={() => setPaid(false)} />}
      <DashboardPage
        wasPosted={newJob === true}
        hasNewJob={newJob !== undefined}
        onDismissPosted={() => setNewJob(false)}
        unfinished={hasBegun && <FinishJoining />}
      />
    </>
  );
}

/** Once the subscription runs: the address alone, which can be typed, says nothing and deletes nothing. */
function Welcome({ onWelcomed }: { readonly onWelcomed: () => void }) {
  const { toasts, offerInstallAfter } = useApp();
  const { userId } = useSessionContext();
  const person = usePerson();
  const isRunning = person.state === 'ready' && person.value?.hasSubscription === true;
  useEffect(() => {
    if (!isRunning) return;
    dropOnboardingDraft(localStorage, userId);
    offerInstallAfter('subscription');
    toasts.show({
      title: 'Welcome aboard!',
      description: 'Your subscription is active. You can browse jobs and express interest.',
      isGreeting: true,
    });
    onWelcomed();
  }, [isRunning, offerInstallAfter, onWelcomed, toasts, userId]);
  return null;
}
