import { useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useApp, useOpenSignInFor } from '../context/app-context.ts';
import { readIntention } from '../lib/sign-in-href.ts';
import { LandingPage } from '../features/landing/landing-page.tsx';

export function HomeRoute() {
  const { toasts, authRedirect } = useApp();
  const openSignIn = useOpenSignInFor();
  const router = useRouter();
  const [isVerified, setVerified] = useState(false);

  // Once the dialog is being opened: on a phone the toast moves out of its way, and would jump there from the other end
  // of the screen.
  useEffect(() => {
    if (isVerified) toasts.show({ title: 'Email Verified' });
  }, [isVerified, toasts]);

  // The mailed confirmation link comes back as /#…type=signup.
  useEffect(() => {
    const came = authRedirect.take();
    if (came.kind === 'none') return;
    if (came.kind === 'signup') {
      const intention = readIntention(router.state.location.searchStr);
      void authRedirect.comesIn.then((comesIn) => {
        if (!comesIn) return;
        openSignIn(intention);
        setVerified(true);
      });
    }
    if (came.kind === 'failed') toasts.show({ title: 'Error', description: came.message, variant: 'destructive' });
    void authRedirect.settled.then((isTaken) => {
      if (isTaken) void router.navigate({ to: '/', search: {}, hash: '', replace: true });
    });
  }, [authRedirect, openSignIn, router, toasts]);

  return <LandingPage />;
}
