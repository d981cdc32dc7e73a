import { useEffect, useLayoutEffect, useRef, useSyncExternalStore, type FocusEvent, type KeyboardEvent } from 'react';
import { QuickButton } from './quick-button.tsx';
import type { Toast } from './create-toasts.ts';
import { Icon } from './icon.tsx';
import { useToasts } from './toasts-context.ts';
import { useSwipeAway } from './use-swipe-away.ts';
import styles from './toast-region.module.css';

function ToastWords({ toast }: { readonly toast: Toast | undefined }) {
  if (toast === undefined) return null;
  return (
    <>
      <p className={styles.title}>{toast.title}</p>
      {toast.description !== undefined && <p className={styles.description}>{toast.description}</p>}
    </>
  );
}

/**
 * Where the toast appears: mount once. The two live areas stay in the page while empty, because a screen
 * reader speaks only what changes inside one it already knows. F8 brings the focus here, Escape puts it away.
 */
export function ToastRegion() {
  const toasts = useToasts();
  const toast = useSyncExternalStore(toasts.subscribe, toasts.current, toasts.current);
  const region = useRef<HTMLElement>(null);
  const cameFrom = useRef<Element>(null);
  const isShown = toast !== undefined;
  const isAlert = toast?.variant === 'destructive';

  const putAway = () => {
    const hadFocus = region.current?.contains(document.activeElement) ?? false;
    toasts.dismiss();
    if (hadFocus && cameFrom.current instanceof HTMLElement) cameFrom.current.focus();
  };
  const swipe = useSwipeAway(putAway);

  useLayoutEffect(() => {
    const place = region.current;
    if (place === null) return;
    place.removeAttribute('data-above');
    if (isShown) place.toggleAttribute('data-above', coversWhatItSpeaksOf(place));
  }, [isShown, toast]);

  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent) => {
      if (event.key !== 'F8' || toasts.current() === undefined) return;
      event.preventDefault();
      region.current?.focus();
    };
    const onVisibility = () => (document.hidden ? toasts.pause() : toasts.resume());
    document.addEventListener('keydown', onKey);
    document.addEventListener('visibilitychange', onVisibility);
    return () => {
      document.removeEventListener('keydown', onKey);
      document.removeEventListener('visibilitychange', onVisibility);
    };
  }, [toasts]);

  const onFocus = (event: FocusEvent) => {
    if (!region.current?.contains(event.relatedTarget)) cameFrom.current = event.relatedTarget;
    toasts.pause();
  };
  const onBlur = (event: FocusEvent) => {
    if (!region.current?.contains(event.relatedTarget)) toasts.resume();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') putAway();
  };

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- a region that takes the focus on F8 must hear Escape
    <section
      ref={region}
      className={styles.region}
      aria-label="Notifications (F8)"
      tabIndex={-1}
      data-react-aria-top-layer="true"
      data-open={isShown || undefined}
      data-greeting={toast?.isGreeting}
      data-variant={toast?.variant ?? 'default'}
      onFocus={onFocus}
      onBlur={onBlur}
      onKeyDown={onKeyDown}
    >
      <div className={styles.toast} onPointerEnter={toasts.pause} onPointerLeave={toasts.resume} {...swipe}>
        {isShown && (
          <span className={styles.icon}>
            <Icon name={toast?.icon ?? (isAlert ? 'alert' : 'checkCircle')} />
          </span>
        )}
        <ToastLive toast={toast} isAlert={isAlert} />
        {toast?.action !== undefined && (
          <QuickButton
            onPress={() => {
              toast.action?.onAction();
              putAway();
            }}
          >
            {toast.action.label}
          </QuickButton>
        )}
        {isShown && <QuickButton variant="plain" icon="cross" iconOnlyLabel="Close notification" onPress={putAway} />}
      </div>
    </section>
  );
}

/**
 * What was just pressed, or has to be mended, has the focus, and its card is spoken of with it. What fills half of the
 * window is no one thing.
 */
function coversWhatItSpeaksOf(region: HTMLElement): boolean {
  const focused = document.activeElement;
  if (focused === null || focused === document.body || region.contains(focused)) return false;
  const toast = region.getBoundingClientRect();
  return [focused, focused.closest('article')].some((part) => {
    const thing = part?.getBoundingClientRect();
    return (
      thing !== undefined &&
      thing.height < window.innerHeight / 2 &&
      thing.bottom > toast.top &&
      thing.top < toast.bottom &&
      thing.right > toast.left &&
      thing.left < toast.right
    );
  });
}

function ToastLive({ toast, isAlert }: { readonly toast: Toast | undefined; readonly isAlert: boolean }) {
  return (
    <div className={styles.words}>
      <div role="status" aria-atomic="true">
        <ToastWords toast={isAlert ? undefined : toast} />
      </div>
      <div role="alert" aria-atomic="true">
        <ToastWords toast={isAlert ? toast : undefined} />
      </div>
    </div>
  );
}
