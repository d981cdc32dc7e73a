import { useRef, type ReactNode } from 'react';
import './locale.ts';
import { BackClosesContext, type BackCloses } from './back-closes-context.ts';
import type { Toasts } from './create-toasts.ts';
import { NavigateContext } from './navigate-context.ts';
import { PageVisitsContext } from './page-visits.ts';
import { ToastRegion } from './toast-region.tsx';
import { ToastsContext } from './toasts-context.ts';

type UiProviderProps = {
  /** Goes to a path of this app without a reload; every link and menu entry uses it. */
  readonly navigate: (path: string) => void;
  readonly backCloses: BackCloses;
  readonly toasts: Toasts;
  readonly children: ReactNode;
};

/** What the parts need above them: the router, the toasts and where they appear. */
export function UiProvider({ navigate, backCloses, toasts, children }: UiProviderProps) {
  const visits = useRef(0);
  return (
    <NavigateContext value={navigate}>
      <ToastsContext value={toasts}>
        <PageVisitsContext value={visits}>
          <BackClosesContext value={backCloses}>{children}</BackClosesContext>
          <ToastRegion />
        </PageVisitsContext>
      </ToastsContext>
    </NavigateContext>
  );
}
