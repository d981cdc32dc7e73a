import { Outlet, useRouter, useRouterState } from '@tanstack/react-router';
import { useCallback, useState } from 'react';
import {
  OpenSignInContext,
  useLoadedApp,
  useShell,
  useAuthState,
  type SessionContext,
} from '../context/app-context.ts';
import { AppShell } from '../features/frame/app-shell.tsx';
import { ConnectionBar } from '../features/frame/connection-bar.tsx';
import { Fetching } from '../features/frame/fetching.tsx';
import { MainNav } from '../features/frame/main-nav.tsx';
import { PageFooter } from '../features/frame/page-footer.tsx';
import { createCell } from '../lib/cell.ts';
import { useLater } from '../hooks/use-later.ts';
import { useNewPage } from '../hooks/use-new-page.ts';
import { useWatched } from '../lib/watched.ts';
import { UiProvider } from '../ui/ui-provider.tsx';
import { words } from '../words/promises.ts';

const loadMemberFrame = async () => (await import('../features/frame/member-frame.ts')).memberFrame;
const loadLogOut = () => import('../features/frame/log-out-dialog.tsx');
const loadSignIn = () => import('../features/account/sign-in-dialog.tsx');

const noNews = createCell('none' as const);
const nobodyLost = createCell(false);
/** `public/here.js` has found the mark of a person: the code for them is fetched while their session is read. */
const seemsSignedIn = () => document.documentElement.dataset['here'] !== undefined;

/** The frame of every page. Small: it is fetched before anything else, and what only some need is fetched later. */
export function RootLayout() {
  const { toasts, authState: watchedAuthState } = useShell();
  const authState = useAuthState();
  const router = useRouter();
  const pathname = useRouterState({ select: (state) => state.location.pathname });
  const [isSigningIn, setSigningIn] = useState(false);
  const [leaving, setLeaving] = useState<SessionContext>();
  const openSignIn = useCallback(() => setSigningIn(true), []);
  const goTo = useCallback((path: string) => void router.navigate({ href: path }), [router]);
  useNewPage(pathname);
  // To the dashboard from the landing page, and for a new person; from any other page the person stays there, because they opened it to see it.
  const afterSignIn = (isNew: boolean) => {
    // Asked now: an earlier log-out may have led here while they signed in.
    if (isNew || router.state.location.pathname === '/') return goTo('/dashboard');
    // The pressed button is gone, and the focus would be lost.
    setTimeout(() => document.querySelector('h1')?.focus({ preventScroll: true }));
  };

  // The log-out request may take seconds on a slow network: a person who has signed in meanwhile is neither asked to log out nor led away.
  const afterLogOut = (left: SessionContext) => {
    const now = watchedAuthState.current();
    if (now.kind !== 'signed-in' || now.context === left) goTo('/');
  };

  const app = useLoadedApp();
  const isLoaded = app !== undefined;
  const sayUnavailable = () => toasts.show({ title: 'Error', description: words.needSignal, variant: 'destructive' });
  // A visitor has no such part, until the app has a notice to show.
  const hasNews = [useWatched(app?.update.state ?? noNews), useWatched(app?.install.state ?? noNews)].some(
    (state) => state !== 'none',
  );
  const isPersonLost = useWatched(app?.isPersonLost ?? nobodyLost);
  const frame = useLater(
    isLoaded && (hasNews || isPersonLost || authState.kind === 'signed-in' || seemsSignedIn()),
    loadMemberFrame,
    sayUnavailable,
  );
  const signIn = useLater(isSigningIn && isLoaded, loadSignIn, () => {
    setSigningIn(false);
    sayUnavailable();
  });
  const logOut = useLater(leaving !== undefined, loadLogOut, () => {
    setLeaving(undefined);
    sayUnavailable();
  });

  return (
    <UiProvider navigate={goTo} toasts={toasts}>
      <OpenSignInContext value={openSignIn}>
        <AppShell
          homeHref={pathname === '/' ? '/' : '/dashboard'}
          nav={
            <MainNav
              frame={frame}
              onSignIn={openSignIn}
              onLogOut={() => authState.kind === 'signed-in' && setLeaving(authState.context)}
            />
          }
          stateBar={
            <>
              <ConnectionBar frame={frame} />
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
