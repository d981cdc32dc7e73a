import { useRef, type PointerEvent } from 'react';

/** A swipe starts after 10 px of touch or 2 px of anything else, and counts from 50 px. */
const startPx = { touch: 10, other: 2 };
const awayPx = 50;

type Swipe = { readonly fromX: number; readonly fromY: number; isOn: boolean; byPx: number };

/** Handlers for something that can be pushed away to the right. Sets `--swipe` in px on the element meanwhile. */
export function useSwipeAway(onAway: () => void) {
  const swipe = useRef<Swipe>(undefined);

  const settle = (target: HTMLElement) => {
    target.style.removeProperty('--swipe');
    delete target.dataset['swiping'];
    swipe.current = undefined;
  };

  return {
    onPointerDown(event: PointerEvent<HTMLElement>) {
      if (event.button !== 0) return;
      swipe.current = { fromX: event.clientX, fromY: event.clientY, isOn: false, byPx: 0 };
    },
    onPointerMove(event: PointerEvent<HTMLElement>) {
      const now = swipe.current;
      if (now === undefined) return;
      const x = event.clientX - now.fromX;
      const y = Math.abs(event.clientY - now.fromY);
      if (!now.isOn) {
        if (Math.max(Math.abs(x), y) < (event.pointerType === 'touch' ? startPx.touch : startPx.other)) return;
        if (x <= y) {
          swipe.current = undefined;
          return;
        }
        now.isOn = true;
        event.currentTarget.setPointerCapture(event.pointerId);
        event.currentTarget.dataset['swiping'] = '';
      }
      now.byPx = Math.max(0, x);
      event.currentTarget.style.setProperty('--swipe', `${now.byPx}px`);
    },
    onPointerUp(event: PointerEvent<HTMLElement>) {
      const isAway = (swipe.current?.byPx ?? 0) >= awayPx;
      settle(event.currentTarget);
      if (isAway) onAway();
    },
    onPointerCancel(event: PointerEvent<HTMLElement>) {
      settle(event.currentTarget);
    },
  };
}
