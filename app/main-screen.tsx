import { RouterProvider } from '@tanstack/react-router';
import { StrictMode, useLayoutEffect } from 'react';
import { AppContext, type App } from './context/app-context.ts';
import type { createAppRouter } from './routes/router.tsx';

type MainScreenProps = {
  readonly app: App;
  readonly router: ReturnType<typeof createAppRouter>;
  /** Called once the app stands in place of what the document showed. */
  readonly onDrawn: () => void;
};

/** The root component. */
export function MainScreen({ app, router, onDrawn }: MainScreenProps) {
  useLayoutEffect(onDrawn, [onDrawn]);
  return (
    <StrictMode>
      <AppContext value={app}>
        <RouterProvider router={router} />
      </AppContext>
    </StrictMode>
  );
}
