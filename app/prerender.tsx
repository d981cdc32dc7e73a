import { createMemoryHistory } from '@tanstack/react-router';
import { renderToString } from 'react-dom/server';
import { prerender as writeOut } from 'react-dom/static';
import type { Shell, ConnectionStatus, AuthState } from './context/app-context.ts';
import { AppShell } from './features/frame/app-shell.tsx';
import { PageFooter } from './features/frame/page-footer.tsx';
import { FindTradiesSight, TradieSight } from './features/tradies/first-sight.tsx';
import { createCell } from './lib/cell.ts';
import { MainScreen } from './main-screen.tsx';
import { createAppRouter } from './routes/router.tsx';
import { createToasts } from './ui/create-toasts.ts';
import { UiProvider } from './ui/ui-provider.tsx';

/** What the root of the page at `path` holds, written by the real routes; no person is known and nothing has been fetched. */
export async function prerender(path: string): Promise<string> {
  const shell: Shell = {
    toasts: createToasts(),
    authState: createCell<AuthState>({ kind: 'starting' }),
    connection: createCell<ConnectionStatus>({ kind: 'online', lastSynced: null }),
    authRedirect: { take: () => ({ kind: 'none' }), comesIn: Promise.resolve(true), settled: Promise.resolve(true) },
    retryStart: () => undefined,
  };
  const router = createAppRouter(createMemoryHistory({ initialEntries: [path] }));
  await router.load();
  // Waits for the route's own code. In one piece: a streamed page is joined by inline scripts, which the content policy blocks.
  const { prelude } = await writeOut(<MainScreen app={createCell(shell)} router={router} onShown={() => undefined} />, {
    progressiveChunkSize: Infinity,
  });
  return new Response(prelude).text();
}

/** What the frame shows before any script runs. */
const sights = { nothing: null, 'find-tradies': <FindTradiesSight />, tradie: <TradieSight /> } as const;

/** The frame that stands while a page is loading. `nothing`: for no page in particular, so that none flashes by. */
export function prerenderFrame(sight: keyof typeof sights): string {
  return renderToString(
    <UiProvider navigate={() => undefined} toasts={createToasts()}>
      <AppShell homeHref="/dashboard" footer={<PageFooter />}>
        {sights[sight]}
      </AppShell>
    </UiProvider>,
  );
}
