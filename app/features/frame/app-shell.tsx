import type { ReactNode } from 'react';
import { Logo } from '../../ui/logo.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import styles from './app-shell.module.css';

type AppShellProps = {
  /** Where the logo leads: `/` on the landing page, `/dashboard` elsewhere. */
  readonly homeHref: string;
  /** Links and buttons at the right of the header: sign-in, or the dashboard and the user menu. */
  readonly nav?: ReactNode;
  /** The `StateBar`. */
  readonly stateBar?: ReactNode;
  readonly children: ReactNode;
  readonly footer?: ReactNode;
};

/** The frame of every screen. Nothing of it is fixed, so nothing can cover what has the focus. */
export function AppShell({ homeHref, nav, stateBar, children, footer }: AppShellProps) {
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
          {nav !== undefined && (
            <nav className={styles.nav} aria-label="Main">
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
