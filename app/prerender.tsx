import { renderToStaticMarkup } from 'react-dom/server';
import styles from './features/frame/app-shell.module.css';
import { Starting } from './features/frame/start-up.tsx';
import { LandingPage } from './features/landing/landing-page.tsx';
import { LegalPage } from './features/legal/legal-page.tsx';
import { inShell } from './in-shell.tsx';
import { Spinner } from './ui/spinner.tsx';
import { words } from './words/common-words.ts';

/**
 * The documents that are complete without the app. No person is known and nothing has been fetched: a visitor's page.
 */
const whole = { '/': <LandingPage />, '/legal': <LegalPage /> } as const;

/** What the root of the document at `path` holds. */
export function prerender(path: keyof typeof whole): string {
  return inShell(whole[path], { homeHref: path === '/' ? '/' : '/dashboard', isWhole: true });
}

/**
 * What stands while a page is loading, for no page in particular, so that none flashes by; the way to sign in is there,
 * and works, before any of the app.
 */
export const prerenderFrame = (): string => inShell(<Starting />, { isWhole: false });

/**
 * What stands beside the root, and stays as the app takes that: with the app there it is for a page that does not come
 * at once.
 */
export const prerenderNotice = (): string => renderToStaticMarkup(<StartNotice />);

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
