import type { ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { AppShell } from './features/frame/app-shell.tsx';
import { OfflineBar, StartNotice } from './features/frame/document-parts.tsx';
import { PageFooter } from './features/frame/page-footer.tsx';
import { Starting } from './features/frame/start-up.tsx';
import { VisitorNav } from './features/frame/visitor-nav.tsx';
import { LandingPage } from './features/landing/landing-page.tsx';
import { LegalPage } from './features/legal/legal-page.tsx';
import { FindTradiesSight, TradieSight } from './features/tradies/first-sight.tsx';

/** The documents that are complete without the app. No person is known and nothing has been fetched: a visitor's page. */
const whole = { '/': <LandingPage />, '/legal': <LegalPage /> } as const;

/** What the frame shows until the app is there. `nothing`: for no page in particular, so that none flashes by. */
const sights = { nothing: <Starting />, 'find-tradies': <FindTradiesSight />, tradie: <TradieSight /> } as const;

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

/** What stands while a page is loading. */
export function prerenderFrame(sight: keyof typeof sights): string {
  return write(
    <AppShell homeHref="/dashboard" footer={<PageFooter />}>
      {sights[sight]}
    </AppShell>,
  );
}

const write = (frame: ReactElement) =>
  renderToStaticMarkup(
    <>
      {frame}
      <StartNotice />
    </>,
  );
