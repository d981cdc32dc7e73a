import type { ReactNode } from 'react';
import { SignInLink } from '../../parts/sign-in-link.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Logo } from '../../ui/logo.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import styles from './app-shell.module.css';

type AppShellProps = {
  /** The address that the logo leads to: `/` on the landing page, `/dashboard` elsewhere. */
  readonly homeHref: string;
  /** Links and buttons at the right of the header: sign-in, or the dashboard and the user menu. */
  readonly nav?: ReactNode;
  /** The `MainNav` of a person who is signed in. */
  readonly mainNav?: ReactNode;
  /** The `StateBar`. */
  readonly stateBar?: ReactNode;
  readonly children: ReactNode;
  readonly footer?: ReactNode;
};

/**
 * The frame of every screen. What of it stays in the window is left out by `scroll-padding`, so that it cannot cover
 * what has the focus.
 */
export function AppShell({ homeHref, nav, mainNav, stateBar, children, footer }: AppShellProps) {
  return (
    <div className={styles.shell}>
      <a
        className={styles.skip}
        href="#main"
        onClick={(event) => {
          event.preventDefault();
          document.getElementById('main')?.focus();
        }}
      >
        Skip to content
      </a>
      <header className={styles.header}>
        <div className={styles.inner}>
          <TextLink href={homeHref} className={styles.home ?? ''} aria-label="Dwang home">
            <Logo />
          </TextLink>
          {mainNav}
          {nav !== undefined && (
            <nav className={styles.nav} aria-label={mainNav === undefined ? 'Main' : 'Account'}>
              {nav}
            </nav>
          )}
        </div>
      </header>
      {stateBar}
      <main id="main" tabIndex={-1} className={styles.main}>
        {children}
      </main>
      <footer className={styles.footer}>
        <div className={styles.inner}>{footer}</div>
      </footer>
    </div>
  );
}

/** The header's links for a person who is signed out. `isUnknown`: the session has not been read yet. */
export function VisitorNav({ isUnknown }: { readonly isUnknown: boolean }) {
  return (
    <div className={styles.visitor} data-unknown={isUnknown || undefined}>
      <LinkButton href="/find-tradies" variant="plain">
        Find Tradies
      </LinkButton>
      <SignInLink variant="primary">Login / Sign Up</SignInLink>
    </div>
  );
}
