import { startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { must } from '../shared/lib/must.ts';
import { isSignInHref } from './lib/sign-in-href.ts';
import { keepFieldInSight } from './lib/keep-field-in-sight.ts';
import { keepFocus } from './lib/keep-focus.ts';
import { MainScreen } from './main-screen.tsx';
import { preloadFrame, preloadScreens } from './routes/preload-screens.ts';
import { createAppRouter } from './routes/router.tsx';

const page = document.documentElement;
const root = must(document.getElementById('root'), 'the page’s root');
/** The document shows the page, or its first sight (`scripts/vite-prerender.ts`); elsewhere it shows an empty frame. */
const standsAlready = root.dataset['stands'] !== undefined;

/** Evaluating the app, making it and drawing it are three tasks, so that a press between them need not wait for all. */
const yieldToMain = () => new Promise<void>((resolve) => void setTimeout(resolve));

/**
 * What the document shows is replaced once, by the page itself: everything that the page needs at once is fetched
 * before.
 */
async function start(): Promise<void> {
  const router = createAppRouter(undefined, { standsAlready });
  const parts = Promise.all([
    router.load(),
    page.dataset['here'] !== undefined && import('./features/frame/member-frame.tsx'),
    isSignInHref(window.location.search) && import('./features/account/sign-in-dialog.tsx'),
  ]);
  // Reported below, unless the app itself cannot be fetched either.
  parts.catch(() => undefined);
  const { createApp } = await import('./compose/create-app.ts');
  await yieldToMain();
  const isKept = () => (navigator.serviceWorker?.controller ?? null) !== null;
  const app = createApp(
    () => void preloadFrame(),
    () => void preloadScreens(router, isKept()),
  );
  await Promise.all([parts, leaving]);
  await yieldToMain();
  // The reader goes on while the app is being drawn.
  let focusAgain = keepFocus(root);
  const note = () => {
    focusAgain = keepFocus(root);
  };
  root.addEventListener('focusin', note);
  const onDrawn = () => {
    root.removeEventListener('focusin', note);
    delete page.dataset['start'];
    focusAgain();
    // A tap on the way to sign in, after the router has read the address.
    if (isSignInHref(window.location.search)) void router.load();
    sayWhatIsOpening(router);
  };
  // As a transition: React then yields every few milliseconds.
  startTransition(() => createRoot(root).render(<MainScreen app={app} router={router} onDrawn={onDrawn} />));
}

/** For as long as a page does not come whose code is still being fetched (`importAgain` may wait for a while). */
function sayWhatIsOpening(router: ReturnType<typeof createAppRouter>): void {
  router.subscribe('onBeforeLoad', ({ pathChanged }) => pathChanged && (page.dataset['start'] = 'next'));
  router.subscribe('onResolved', () => delete page.dataset['start']);
}

/** The page as it was left, from `app/worker/with-kept-screen.ts`. */
const kept = document.getElementById('kept');
const leaving =
  kept !== null &&
  import('./lib/leave-kept-screen.ts').then(
    ({ leaveKeptScreen }) => leaveKeptScreen(kept, root),
    () => {
      kept.remove();
      delete page.dataset['kept'];
    },
  );

if (window.visualViewport !== null) keepFieldInSight(window.visualViewport);

start().catch((error: unknown) => {
  // The document says so (`StartNotice`).
  page.dataset['start'] = 'failed';
  throw error;
});
