import { useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useApp, useAuthState, useOpenSignInFor } from '../context/app-context.ts';
import { readIntention } from '../lib/sign-in-href.ts';
import { LandingPage } from '../features/landing/landing-page.tsx';

export function HomeRoute() {
  const { toasts, authRedirect } = useApp();
  const openSignIn = useOpenSignInFor();
  const router = useRouter();
  const { kind } = useAuthState();
  const [isVerified, setVerified] = useState(false);
  const [failed, setFailed] = useState<{ readonly message: string; readonly signIn: () => void }>();

  // Once the dialog is being opened: on a phone the toast moves out of its way, and would jump there from the other end
  // of the screen.
  useEffect(() => {
    if (isVerified) toasts.show({ title: 'Email Verified' });
  }, [isVerified, toasts]);

  // One that was used before, or is too old: it stays until it is read, with the next step.
  useEffect(() => {
    if (failed === undefined || kind === 'starting') return;
    const { message, signIn } = failed;
    toasts.show({
      title: 'This link has been used, or is too old',
      icon: 'alert',
      durationMs: Infinity,
      ...(kind === 'signed-in'
        ? { description: `${message}. You are signed in, so you need no link.` }
        : {
            description: `${message}. Sign in: where your email is not confirmed yet, you get a new code there.`,
            action: { label: 'Login / Sign Up', onAction: signIn },
          }),
    });
  }, [failed, kind, toasts]);

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
    if (came.kind === 'failed') {
      const intention = readIntention(router.state.location.searchStr);
      setFailed({ message: came.message, signIn: () => openSignIn(intention) });
    }
    void authRedirect.settled.then((isTaken) => {
      if (isTaken) void router.navigate({ to: '/', search: {}, hash: '', replace: true });
    });
  }, [authRedirect, openSignIn, router, toasts]);

  return <LandingPage />;
}
