import { startTransition } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { must } from '../shared/lib/must.ts';
import type { App, Shell } from './context/app-context.ts';
import { createShell } from './compose/create-shell.ts';
import { makeCell } from './lib/cell.ts';
import { repeatEarlyPress } from './lib/early-press.ts';
import { MainScreen } from './main-screen.tsx';
import { preloadScreens } from './routes/preload-screens.ts';
import { createAppRouter } from './routes/router.tsx';

const root = must(document.getElementById('root'), 'the page’s root');
/** `/` and `/legal` come written out (`scripts/vite-prerender.ts`) and are taken over as they stand. Other pages are drawn in place of an empty frame. */
const isWritten = root.dataset['path'] === window.location.pathname;
/** The page's first sight stands in the frame; what takes its place is the page itself, never something that only waits. */
const hasSight = root.dataset['sight'] !== undefined;

const shell = createShell(bringTheRest);
const app = makeCell<Shell | App>(shell);
const router = createAppRouter();

/** Evaluating the app, making it and drawing it are three things, and a press between them is not to wait for all. */
const yieldToMain = () => new Promise<void>((resolve) => void setTimeout(resolve));

async function bringTheRest(): Promise<void> {
  shell.authState.set({ kind: 'starting' });
  await import('./compose/make-app.ts').then(
    async ({ makeApp }) => {
      await yieldToMain();
      const made = makeApp(shell, () => void preloadScreens(router));
      await yieldToMain();
      app.set(made);
    },
    () => shell.authState.set({ kind: 'unable', message: 'Dwang could not be fetched. Check your signal and try again.' }),
  );
}

function onShown(): void {
  shell.onShown();
  repeatEarlyPress();
  if (isWritten) void bringTheRest();
}

// All of it is drawn as transitions: React then lets go of the thread every few milliseconds.
const screen = <MainScreen app={app} router={router} onShown={onShown} />;
if (isWritten) {
  // What is drawn must be what was written, so the page's own code comes first. It imports from this piece, and a module that waits
  // for it at its top would never be done.
  void router.load().then(() => {
    // As the router itself does when it takes over a page: no boundary round the whole that the written page does not have.
    router.ssr = { manifest: undefined };
    startTransition(() => void hydrateRoot(root, screen));
  });
} else {
  const isHere = Promise.all([bringTheRest(), hasSight ? router.load() : undefined]);
  const draw = () => startTransition(() => createRoot(root).render(screen));
  if (hasSight) void isHere.then(draw, draw);
  else draw();
}
