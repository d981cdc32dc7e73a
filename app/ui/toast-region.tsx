import { useEffect, useLayoutEffect, useRef, useSyncExternalStore, type FocusEvent, type KeyboardEvent } from 'react';
import { QuickButton } from './quick-button.tsx';
import type { Toast } from './create-toasts.ts';
import { Icon } from './icon.tsx';
import { useToasts } from './toasts-context.ts';
import { useSwipeAway } from './use-swipe-away.ts';
import styles from './toast-region.module.css';

const acts = ['pointerdown', 'keydown'];
const loadPlace = () => import('./place-toast.ts');

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
  const pressed = useRef<readonly Element[]>([]);
  const isShown = toast !== undefined;
  const isAlert = toast?.variant === 'destructive';
  const action = toast?.undo === undefined ? toast?.action : { label: 'Undo', onAction: toast.undo };

  const putAway = () => {
    const hadFocus = region.current?.contains(document.activeElement) ?? false;
    toasts.dismiss();
    // What is read stays where it is, also where the focus was on the heading far above.
    if (hadFocus && cameFrom.current instanceof HTMLElement) cameFrom.current.focus({ preventScroll: true });
  };
  const swipe = useSwipeAway(putAway);

  useLayoutEffect(() => {
    const place = region.current;
    if (place === null) return undefined;
    place.removeAttribute('data-above');
    place.style.removeProperty('--raise');
    if (!isShown) return undefined;
    let end = (): void => undefined;
    let isOver = false;
    // Without it the toast stays at the foot of the window.
    loadPlace().then(
      ({ keepClear }) => isOver || void (end = keepClear(place, pressed.current)),
      () => undefined,
    );
    return () => {
      isOver = true;
      end();
    };
  }, [isShown, toast]);

  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent) => {
      if (event.key !== 'F8' || toasts.current() === undefined) return;
      event.preventDefault();
      region.current?.focus();
    };
    const onVisibility = () => (document.hidden ? toasts.pause() : toasts.resume());
    const onAct = ({ target }: Event) => {
      if (!(target instanceof Node && region.current?.contains(target))) toasts.noteAct();
    };
    const onFocusIn = ({ target }: globalThis.FocusEvent) => {
      if (target instanceof Element && region.current?.contains(target) === false) pressed.current = pathOf(target);
    };
    document.addEventListener('focusin', onFocusIn);
    document.addEventListener('keydown', onKey);
    for (const act of acts) document.addEventListener(act, onAct, true);
    document.addEventListener('visibilitychange', onVisibility);
    return () => {
      document.removeEventListener('focusin', onFocusIn);
      document.removeEventListener('keydown', onKey);
      for (const act of acts) document.removeEventListener(act, onAct, true);
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
        {action !== undefined && (
          <QuickButton
            onPress={() => {
              action.onAction();
              putAway();
            }}
          >
            {action.label}
          </QuickButton>
        )}
        {isShown && <QuickButton variant="plain" icon="cross" iconOnlyLabel="Close notification" onPress={putAway} />}
      </div>
    </section>
  );
}

/** The element and all that it stands in, the nearest first. */
function pathOf(element: Element): Element[] {
  const path: Element[] = [];
  for (let at: Element | null = element; at !== null && at !== document.body; at = at.parentElement) path.push(at);
  return path;
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
