import { Outlet, useRouter, useRouterState } from '@tanstack/react-router';
import { useCallback, useEffect, useState } from 'react';
import { OpenSignInContext, useApp, useAuthState, type SessionContext } from '../context/app-context.ts';
import { useWatched } from '../context/use-watched.ts';
import { AppShell, VisitorNav } from '../features/frame/app-shell.tsx';
import { PageFooter } from '../parts/page-footer.tsx';
import type { MemberFrame } from '../features/frame/member-frame.tsx';
import { Fetching } from '../features/frame/start-up.tsx';
import { useDeferredImport } from '../hooks/use-deferred-import.ts';
import { useNewPage } from '../hooks/use-new-page.ts';
import { intentions, isSignInHref, readIntention, type Intention } from '../lib/sign-in-href.ts';
import { StateBar } from '../ui/state-bar.tsx';
import { UiProvider } from '../ui/ui-provider.tsx';
import { connectionWords } from '../words/connection-words.ts';
import { whyNotFetched } from '../words/reach-words.ts';
import { useBackCloses } from './use-back-closes.ts';

const loadMemberFrame = async () => (await import('../features/frame/member-frame.tsx')).memberFrame;
const loadLogOut = () => import('../features/frame/log-out-dialog.tsx');
const loadSignIn = () => import('../features/account/sign-in-dialog.tsx');

/** `public/here.js` has found the mark of a person: the code for them is fetched while their session is read. */
const seemsSignedIn = () => document.documentElement.dataset['here'] !== undefined;

/**
 * A link of a document that the app has taken over leads to its dialog (`SignInLink`). The address is for the way there
 * alone: with it, a reload would open the dialog again.
 */
function useAskedToSignIn(openSignIn: (intention?: Intention) => void): void {
  const router = useRouter();
  const isAsked = useRouterState({ select: ({ location }) => isSignInHref(location.searchStr) });
  useEffect(() => {
    if (!isAsked) return;
    const { pathname, searchStr, hash } = router.state.location;
    openSignIn(readIntention(searchStr));
    const rest = new URLSearchParams(searchStr);
    rest.delete('sign-in');
    const search = rest.size === 0 ? '' : `?${rest}`;
    void router.navigate({
      href: `${pathname}${search}${hash === '' ? '' : `#${hash}`}`,
      replace: true,
      resetScroll: false,
      hashScrollIntoView: false,
    });
  }, [isAsked, openSignIn, router]);
}

/** The frame of every page. What only some need of it is fetched later. */
export function RootLayout() {
  const { toasts, connection, authState: watchedAuthState, update, install, isPersonLost } = useApp();
  const authState = useAuthState();
  const router = useRouter();
  const pathname = useRouterState({ select: (state) => state.location.pathname });
  const here = useRouterState({
    select: ({ location: { pathname: path, hash } }) => (hash === '' ? path : `${path}#${hash}`),
  });
  const [isSigningIn, setSigningIn] = useState(false);
  const [leaving, setLeaving] = useState<SessionContext>();
  const [intention, setIntention] = useState<Intention>();
  const openSignIn = useCallback((next?: Intention) => {
    setIntention(next);
    setSigningIn(true);
  }, []);
  const goTo = useCallback((path: string) => void router.navigate({ href: path }), [router]);
  const backCloses = useBackCloses();
  useNewPage(pathname);
  useEffect(
    () => router.subscribe('onBeforeLoad', ({ pathChanged }) => void (pathChanged && toasts.goOn())),
    [router, toasts],
  );
  useAskedToSignIn(openSignIn);
  // To what they set out to do. Else to the dashboard from the landing page, and for a new person; from any other page
  // the person stays there, because they opened it to see it.
  const afterSignIn = (isNew: boolean) => {
    if (intention !== undefined) return goTo(intentions[intention]);
    // The location is asked now: an earlier log-out may have led here while they signed in.
    if (isNew || router.state.location.pathname === '/') return goTo('/dashboard');
    // The pressed button is gone, and the focus would be lost.
    setTimeout(() => document.querySelector('h1')?.focus({ preventScroll: true }));
  };

  // The log-out request may take seconds on a slow network: a person who has signed in meanwhile is neither asked to
  // log out nor led away.
  const afterLogOut = (left: SessionContext) => {
    const now = watchedAuthState.current();
    if (now.kind !== 'signed-in' || now.context === left) goTo('/');
  };

  const sayUnavailable = () =>
    toasts.show({ title: 'Error', description: whyNotFetched(connection.current().kind), variant: 'destructive' });
  // A visitor has no such part, until there is a notice to show.
  const hasNews = [useWatched(update.state), useWatched(install.state)].some((state) => state !== 'none');
  const isLost = useWatched(isPersonLost);
  const frame = useDeferredImport(
    hasNews || isLost || authState.kind === 'signed-in' || seemsSignedIn(),
    loadMemberFrame,
    sayUnavailable,
  );
  const signIn = useDeferredImport(isSigningIn, loadSignIn, () => {
    setSigningIn(false);
    sayUnavailable();
  });
  const logOut = useDeferredImport(leaving !== undefined, loadLogOut, () => {
    setLeaving(undefined);
    sayUnavailable();
  });

  return (
    <UiProvider navigate={goTo} backCloses={backCloses} toasts={toasts}>
      <OpenSignInContext value={openSignIn}>
        <AppShell
          homeHref={pathname === '/' ? '/' : '/dashboard'}
          nav={
            <MainNav frame={frame} onLogOut={() => authState.kind === 'signed-in' && setLeaving(authState.context)} />
          }
          mainNav={
            authState.kind === 'signed-in' && frame !== undefined ? (
              <frame.MainNav context={authState.context} lacksProfile={authState.lacksProfile} here={here} />
            ) : undefined
          }
          stateBar={
            <>
              <div data-bar="">
                <ConnectionBar frame={frame} />
              </div>
              {frame !== undefined && <frame.AppNotices />}
            </>
          }
          footer={<PageFooter />}
        >
          <Outlet />
        </AppShell>
        {isSigningIn && signIn === undefined && <Fetching />}
        {signIn !== undefined && (
          <signIn.SignInDialog
            isOpen={isSigningIn}
            onClose={() => setSigningIn(false)}
            onDone={afterSignIn}
            intention={intention}
            firstStep={authState.kind === 'signed-in' && authState.lacksProfile ? 'details' : 'credentials'}
          />
        )}
        {authState.kind === 'signed-in' && logOut !== undefined && (
          <logOut.LogOutDialog
            context={authState.context}
            isOpen={leaving === authState.context}
            onClose={() => setLeaving(undefined)}
            onLoggedOut={() => afterLogOut(authState.context)}
          />
        )}
      </OpenSignInContext>
    </UiProvider>
  );
}

/** "Offline. Showing jobs from 10:42 am. 2 changes waiting." */
function ConnectionBar({ frame }: { readonly frame: MemberFrame | undefined }) {
  const { connection } = useApp();
  const authState = useAuthState();
  const { kind } = useWatched(connection);
  if (authState.kind === 'signed-in' && frame !== undefined)
    return <frame.MemberBar kind={kind} context={authState.context} />;
  return <StateBar kind={kind}>{connectionWords[kind]}</StateBar>;
}

type MainNavProps = {
  readonly frame: MemberFrame | undefined;
  readonly onLogOut: () => void;
};

function MainNav({ frame, onLogOut }: MainNavProps) {
  const authState = useAuthState();
  if (authState.kind === 'signed-in')
    return frame !== undefined && <frame.MemberNav context={authState.context} onLogOut={onLogOut} />;
  return <VisitorNav isUnknown={authState.kind === 'starting'} />;
}
