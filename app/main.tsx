import { startTransition } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { must } from '../shared/lib/must.ts';
import type { App, Shell } from './context/app-context.ts';
import { createShell } from './compose/create-shell.ts';
import { createCell } from './lib/cell.ts';
import { repeatEarlyPress } from './lib/early-press.ts';
import { MainScreen } from './main-screen.tsx';
import { preloadScreens } from './routes/preload-screens.ts';
import { createAppRouter } from './routes/router.tsx';

const root = must(document.getElementById('root'), 'the page’s root');
/** `/` and `/legal` are prerendered whole (`scripts/vite-prerender.ts`) and hydrated. Other pages are rendered in place of an empty frame. */
const isWritten = root.dataset['path'] === window.location.pathname;
/** The frame shows the page's first state; it is replaced by the page itself, never by something that only waits. */
const hasSight = root.dataset['sight'] !== undefined;

const shell = createShell(bringTheRest);
const app = createCell<Shell | App>(shell);
const router = createAppRouter();

/** Evaluating the app, making it and rendering it are three tasks, so that a press between them need not wait for all. */
const yieldToMain = () => new Promise<void>((resolve) => void setTimeout(resolve));

async function bringTheRest(): Promise<void> {
  shell.authState.set({ kind: 'starting' });
  await import('./compose/create-app.ts').then(
    async ({ createApp }) => {
      await yieldToMain();
      const made = createApp(shell, () => void preloadScreens(router));
      await yieldToMain();
      app.set(made);
    },
    () =>
      shell.authState.set({ kind: 'unable', message: 'Dwang could not be fetched. Check your signal and try again.' }),
  );
}

function onShown(): void {
  shell.onShown();
  repeatEarlyPress();
  if (isWritten) void bringTheRest();
}

// All of it is rendered as transitions: React then yields every few milliseconds.
const screen = <MainScreen app={app} router={router} onShown={onShown} />;
if (isWritten) {
  // What is rendered must match what was prerendered, so the page's own code comes first. It imports from this chunk, and a module that
  // waits for it at its top level would never finish.
  void router.load().then(() => {
    // As the router itself does when it hydrates a page: no boundary round the whole that the prerendered page does not have.
    router.ssr = { manifest: undefined };
    startTransition(() => void hydrateRoot(root, screen));
  });
} else {
  const isHere = Promise.all([bringTheRest(), hasSight ? router.load() : undefined]);
  const draw = () => startTransition(() => createRoot(root).render(screen));
  if (hasSight) void isHere.then(draw, draw);
  else draw();
}
