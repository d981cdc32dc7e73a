import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { AppShell, VisitorNav } from './features/frame/app-shell.tsx';
import styles from './features/frame/app-shell.module.css';
import { PageFooter } from './parts/page-footer.tsx';
import { StateBar } from './ui/state-bar.tsx';
import { connectionWords } from './words/connection-words.ts';

type ShellOptions = {
  /** The address that the logo leads to. */
  readonly homeHref?: '/' | '/dashboard';
  /** The document is complete without the app: it says itself that there is no signal (`public/here.js`). */
  readonly isWhole: boolean;
};

/** Markup of a visitor's page, for the root of its document: no person is known. */
export function inShell(page: ReactNode, { homeHref = '/dashboard', isWhole }: ShellOptions): string {
  return renderToStaticMarkup(
    <AppShell
      homeHref={homeHref}
      nav={<VisitorNav isUnknown />}
      stateBar={isWhole && <OfflineBar />}
      footer={<PageFooter />}
    >
      {page}
    </AppShell>,
  );
}

/** The state bar while there is no signal. */
function OfflineBar() {
  return (
    <div className={styles.offline}>
      <StateBar kind="offline">{connectionWords.offline}</StateBar>
    </div>
  );
}
