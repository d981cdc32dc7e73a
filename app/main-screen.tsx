import { RouterProvider } from '@tanstack/react-router';
import { StrictMode, startTransition, useEffect, useState } from 'react';
import { AppContext, type App, type Shell } from './context/app-context.ts';
import type { Watched } from './lib/cell.ts';
import type { createAppRouter } from './routes/router.tsx';

type MainScreenProps = {
  readonly app: Watched<Shell | App>;
  readonly router: ReturnType<typeof createAppRouter>;
  /** Called once the page has taken over from the prerendered one. */
  readonly onShown: () => void;
};

/** The root component, the same in the browser and in prerendering. */
export function MainScreen({ app, router, onShown }: MainScreenProps) {
  const [given, setGiven] = useState(app.current);
  useEffect(() => {
    const look = () => startTransition(() => setGiven(app.current()));
    look();
    return app.subscribe(look);
  }, [app]);
  useEffect(onShown, [onShown]);
  return (
    <StrictMode>
      <AppContext value={given}>
        <RouterProvider router={router} />
      </AppContext>
    </StrictMode>
  );
}
