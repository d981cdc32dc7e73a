import { useEffect, useRef, type RefObject } from 'react';
import { moveBy, swipeOf, tappedScale, wholePhoto, zoomAt, type Point, type Zoom } from './photo-zoom.ts';

interface Gestures {
  readonly onNext: () => void;
  readonly onPrevious: () => void;
  readonly onAway: () => void;
}

const between = (one: Point, other: Point) => ({ x: (one.x + other.x) / 2, y: (one.y + other.y) / 2 });
const apart = (one: Point, other: Point) => Math.hypot(one.x - other.x, one.y - other.y);

/**
 * Fingers on the place of a photo: two enlarge it, one moves what is enlarged; over a whole photo one finger goes to
 * the next, or down to put it away; two taps enlarge and make whole again, as a mouse's double click and a track pad's
 * pinch do. `shown`: what is in the place.
 */
export function usePhotoGestures(
  place: RefObject<HTMLElement | null>,
  shown: string | undefined,
  does: Gestures,
): void {
  const latest = useRef(does);
  useEffect(() => {
    latest.current = does;
  });
  useEffect(() => {
    const element = place.current;
    if (element === null || shown === undefined) return undefined;
    let zoom: Zoom = wholePhoto;
    let drag: Point = { x: 0, y: 0 };
    const fingers = new Map<number, Point>();
    const draw = () => {
      element.style.setProperty('--scale', String(zoom.scale));
      element.style.setProperty('--x', `${zoom.x + drag.x}px`);
      element.style.setProperty('--y', `${zoom.y + Math.max(0, drag.y)}px`);
    };
    const fromMiddle = ({ clientX, clientY }: { clientX: number; clientY: number }): Point => {
      const { left, top, width, height } = element.getBoundingClientRect();
      return { x: clientX - left - width / 2, y: clientY - top - height / 2 };
    };
    const size = () => element.getBoundingClientRect();
    const settle = () => {
      drag = { x: 0, y: 0 };
      delete element.dataset['held'];
      draw();
    };

    const down = (event: PointerEvent) => {
      if (event.button !== 0) return;
      element.setPointerCapture(event.pointerId);
      element.dataset['held'] = '';
      fingers.set(event.pointerId, fromMiddle(event));
      drag = { x: 0, y: 0 };
    };
    const move = (event: PointerEvent) => {
      const before = fingers.get(event.pointerId);
      if (before === undefined) return;
      const now = fromMiddle(event);
      const other = [...fingers].find(([id]) => id !== event.pointerId)?.[1];
      fingers.set(event.pointerId, now);
      const by = { x: now.x - before.x, y: now.y - before.y };
      if (other !== undefined) {
        zoom = zoomAt(zoom, apart(now, other) / Math.max(1, apart(before, other)), between(now, other), size());
      } else if (zoom.scale > 1) zoom = moveBy(zoom, by, size());
      else drag = { x: drag.x + by.x, y: drag.y + by.y };
      draw();
    };
    const up = (event: PointerEvent) => {
      if (!fingers.delete(event.pointerId) || fingers.size > 0) return;
      const meant = event.type === 'pointerup' && zoom.scale === 1 ? swipeOf(drag) : 'nothing';
      settle();
      if (meant === 'next') latest.current.onNext();
      if (meant === 'previous') latest.current.onPrevious();
      if (meant === 'away') latest.current.onAway();
    };
    const tapTwice = (event: MouseEvent) => {
      zoom = zoom.scale > 1 ? wholePhoto : zoomAt(zoom, tappedScale, fromMiddle(event), size());
      draw();
    };
    const wheel = (event: WheelEvent) => {
      // A track pad's pinch, and Ctrl with a wheel.
      if (!event.ctrlKey) return;
      event.preventDefault();
      zoom = zoomAt(zoom, Math.exp(-event.deltaY / 200), fromMiddle(event), size());
      draw();
    };

    settle();
    const heard = new AbortController();
    const { signal } = heard;
    element.addEventListener('pointerdown', down, { signal });
    element.addEventListener('pointermove', move, { signal });
    element.addEventListener('pointerup', up, { signal });
    element.addEventListener('pointercancel', up, { signal });
    element.addEventListener('dblclick', tapTwice, { signal });
    element.addEventListener('wheel', wheel, { signal, passive: false });
    return () => heard.abort();
  }, [place, shown]);
}
