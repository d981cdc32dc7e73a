import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { must } from '../shared/lib/must.ts';
import { AppContext } from './app-context.ts';
import { makeApp } from './compose/make-app.ts';
import { preloadScreens } from './routes/preload-screens.ts';
import { createAppRouter } from './routes/router.tsx';

const app = makeApp();
const router = createAppRouter();

createRoot(must(document.getElementById('root'), 'the page’s root')).render(
  <StrictMode>
    <AppContext value={app}>
      <RouterProvider router={router} />
    </AppContext>
  </StrictMode>,
);

/** Long enough for the first screen and its data to be through. */
const quietAfterMs = 3_000;
window.setTimeout(() => void preloadScreens(router), quietAfterMs);
