import type { ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import styles from './features/frame/app-shell.module.css';
import { AppShell, VisitorNav } from './features/frame/app-shell.tsx';
import { PageFooter } from './parts/page-footer.tsx';
import { Starting } from './features/frame/start-up.tsx';
import { LandingPage } from './features/landing/landing-page.tsx';
import { LegalPage } from './features/legal/legal-page.tsx';
import { PrerenderedDirectory, PrerenderedTradie } from './features/tradies/prerendered-page.tsx';
import { Spinner } from './ui/spinner.tsx';
import { StateBar } from './ui/state-bar.tsx';
import { connectionWords } from './words/connection-words.ts';
import { words } from './words/common-words.ts';

/**
 * The documents that are complete without the app. No person is known and nothing has been fetched: a visitor's page.
 */
const whole = { '/': <LandingPage />, '/legal': <LegalPage /> } as const;

/** What the frame shows until the app is there. `nothing`: for no page in particular, so that none flashes by. */
const sights = {
  nothing: <Starting />,
  'find-tradies': <PrerenderedDirectory />,
  tradie: <PrerenderedTradie />,
} as const;

/** What the root of the document at `path` holds. */
export function prerender(path: keyof typeof whole): string {
  return write(
    <AppShell
      homeHref={path === '/' ? '/' : '/dashboard'}
      nav={<VisitorNav isUnknown />}
      stateBar={<OfflineBar />}
      footer={<PageFooter />}
    >
      {whole[path]}
    </AppShell>,
  );
}

/** What stands while a page is loading; the way to sign in is there, and works, before any of the app. */
export function prerenderFrame(sight: keyof typeof sights): string {
  return write(
    <AppShell homeHref="/dashboard" nav={<VisitorNav isUnknown />} footer={<PageFooter />}>
      {sights[sight]}
    </AppShell>,
  );
}

/**
 * What stands beside the root, and stays as the app takes that: with the app there it is for a page that does not come
 * at once.
 */
export const prerenderNotice = (): string => write(<StartNotice />);

const write = (part: ReactElement) => renderToStaticMarkup(part);

/*
 * What documents hold, and the app never renders. `public/here.js` shows and hides it, by attributes of the root; the
 * app (`main.tsx`) does so with the notice too. The styles are the frame's: a build for the browser has those of no
 * component that the app does not render.
 */

/** A tap was felt, a page does not come at once, or the app could not be fetched. */
function StartNotice() {
  return (
    <div role="status" className={styles.notice}>
      <span className={styles.underWay}>
        <Spinner size="sm" />
        {words.opening}
      </span>
      <span className={styles.failed}>
        {/* oxlint-disable-next-line jsx-a11y/anchor-is-valid -- an empty address is this one, with its query */}
        {words.notFetched} <a href="">Try again</a>
      </span>
    </div>
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
