import { Outlet, useNavigate, useRouterState } from '@tanstack/react-router';
import { useCallback, useState } from 'react';
import { OpenSignInContext, useApp, useWho } from '../app-context.ts';
import { SignInDialog } from '../features/account/sign-in-dialog.tsx';
import { ConnectionBar } from '../features/frame/connection-bar.tsx';
import { LogOutDialog } from '../features/frame/log-out-dialog.tsx';
import { MainNav } from '../features/frame/main-nav.tsx';
import { PageFooter } from '../features/frame/page-footer.tsx';
import { AppNotices } from '../features/frame/app-notices.tsx';
import { AppShell } from '../features/frame/app-shell.tsx';
import { UiProvider } from '../ui/ui-provider.tsx';

/** What stands around every page. */
export function RootLayout() {
  const { toasts } = useApp();
  const who = useWho();
  const navigate = useNavigate();
  const isHome = useRouterState({ select: (state) => state.location.pathname === '/' });
  const [isSigningIn, setSigningIn] = useState(false);
  const [isLoggingOut, setLoggingOut] = useState(false);
  const openSignIn = useCallback(() => setSigningIn(true), []);
  const goTo = useCallback((path: string) => void navigate({ href: path }), [navigate]);

  return (
    <UiProvider navigate={goTo} toasts={toasts}>
      <OpenSignInContext value={openSignIn}>
        <AppShell
          homeHref={isHome ? '/' : '/dashboard'}
          nav={<MainNav onSignIn={openSignIn} onLogOut={() => setLoggingOut(true)} />}
          stateBar={
            <>
              <ConnectionBar />
              <AppNotices />
            </>
          }
          footer={<PageFooter />}
        >
          <Outlet />
        </AppShell>
        <SignInDialog
          isOpen={isSigningIn}
          onClose={() => setSigningIn(false)}
          onDone={() => goTo('/dashboard')}
          firstStep={who.kind === 'signed-in' && who.lacksProfile ? 'details' : 'credentials'}
        />
        {who.kind === 'signed-in' && (
          <LogOutDialog house={who.house} isOpen={isLoggingOut} onClose={() => setLoggingOut(false)} onLoggedOut={() => goTo('/')} />
        )}
      </OpenSignInContext>
    </UiProvider>
  );
}
