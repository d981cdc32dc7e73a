import { useEffect, useRef } from 'react';
import { useApp, type SessionContext } from '../../context/app-context.ts';
import { slowAfterMs } from '../../sync/status.ts';
import { Icon } from '../../ui/icon.tsx';
import { words } from '../../words/common-words.ts';
import { isServerAway } from '../../words/reach-words.ts';
import styles from './pull-to-look.module.css';

/** How far the finger goes, in CSS px: what it pulls down follows at half the way. */
const enoughPx = 120;

/** A finger means something else on these: a window over the page, a list in it, a field. */
const others = '[role=dialog], [role=alertdialog], [role=listbox], input, textarea, select';

const isOwn = (target: EventTarget | null) => target instanceof Element && target.closest(others) !== null;

/** The page, or what is under the finger, is not at its top. */
function isScrolled(target: EventTarget | null): boolean {
  let part = target instanceof Element ? target : null;
  while (part !== null && part.scrollTop <= 0) part = part.parentElement;
  return part !== null || window.scrollY > 0;
}

/**
 * On a phone, from the top of a page: pulled down far enough and let go, the app asks its server again, and says so
 * where no answer comes. The page stays as it is.
 */
export function PullToLook({ context: { sync, db } }: { readonly context: Pick<SessionContext, 'sync' | 'db'> }) {
  const { toasts, connection, log } = useApp();
  const bar = useRef<HTMLDivElement>(null);
  useEffect(() => {
    let from: { x: number; y: number } | undefined;
    let pulled = 0;
    let answering: ReturnType<typeof setTimeout> | undefined;
    // Another tab may be the one that asks: what it was answered is on the disk.
    const readLastSynced = async () => (await db.meta.get('lastSynced'))?.value;
    const sayUnanswered = async (before: Promise<unknown>) => {
      const [was, is] = await Promise.all([before, readLastSynced()]);
      const { phase } = sync.status.current();
      // What stands in the way then has a notice of its own.
      const isAsking = phase === 'exchanging' || phase === 'waiting' || phase === 'idle';
      if (was === is && isAsking) toasts.show({ title: words.noAnswerYet, icon: 'clock' });
    };
    const lookAgain = () => {
      const before = readLastSynced();
      sync.sendNow();
      const { kind } = connection.current();
      if (kind === 'offline') toasts.show({ title: words.noSignal, icon: 'cloudOff' });
      if (isServerAway(kind)) toasts.show({ title: words.notReached, icon: 'cloudOff' });
      clearTimeout(answering);
      const say = () => sayUnanswered(before).catch((fault: unknown) => log('pull-to-look', String(fault)));
      answering = kind === 'online' || kind === 'slow' ? setTimeout(() => void say(), slowAfterMs) : undefined;
    };
    const show = (px: number) => {
      pulled = px;
      const shown = bar.current;
      if (shown === null) return;
      shown.style.setProperty('--pull', `${Math.min(px, enoughPx * 1.25) / 2}px`);
      shown.toggleAttribute('data-pulled', px > 0);
      shown.toggleAttribute('data-enough', px >= enoughPx);
    };
    const start = ({ touches, target }: TouchEvent) => {
      const [finger, another] = touches;
      from =
        finger === undefined || another !== undefined || isScrolled(target) || isOwn(target)
          ? undefined
          : { x: finger.clientX, y: finger.clientY };
    };
    const move = ({ touches: [finger], target }: TouchEvent) => {
      if (from === undefined || finger === undefined) return;
      const [right, down] = [Math.abs(finger.clientX - from.x), finger.clientY - from.y];
      // A swipe to the side, or the page goes by.
      if (pulled === 0 && right > Math.abs(down)) from = undefined;
      else show(isScrolled(target) ? 0 : Math.max(0, down));
    };
    const end = () => {
      const isEnough = from !== undefined && pulled >= enoughPx;
      from = undefined;
      show(0);
      if (isEnough) lookAgain();
    };
    const cancel = () => {
      from = undefined;
      show(0);
    };
    const passive = { passive: true } as const;
    window.addEventListener('touchstart', start, passive);
    window.addEventListener('touchmove', move, passive);
    window.addEventListener('touchend', end);
    window.addEventListener('touchcancel', cancel);
    return () => {
      clearTimeout(answering);
      window.removeEventListener('touchstart', start);
      window.removeEventListener('touchmove', move);
      window.removeEventListener('touchend', end);
      window.removeEventListener('touchcancel', cancel);
    };
  }, [connection, db, log, sync, toasts]);
  return (
    <div ref={bar} className={styles.bar} aria-hidden="true" data-pull="">
      <Icon name="refresh" />
      <span className={styles.pull}>Pull to look again</span>
      <span className={styles.enough}>Let go to look again</span>
    </div>
  );
}
