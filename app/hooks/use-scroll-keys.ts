import { useEffect, type RefObject } from 'react';
import { isKeyTaken } from '../lib/is-key-taken.ts';

const linePx = 40;
/** Of what is in sight, as browsers do: a line or two of it stays. */
const pageShare = 0.88;

/** The browser itself scrolls what the focus is in. */
function isInScrollContainer(target: Element): boolean {
  for (let part: Element | null = target; part !== null && part !== document.body; part = part.parentElement)
    if (part.scrollHeight > part.clientHeight && getComputedStyle(part).overflowY === 'auto') return true;
  return false;
}

/** How far a key scrolls, in CSS px, in a container of this height; undefined for a key that scrolls nothing. */
function distanceOf({ key, shiftKey }: KeyboardEvent, { clientHeight, scrollHeight }: Element): number | undefined {
  const page = clientHeight * pageShare;
  if (key === 'PageDown' || (key === ' ' && !shiftKey)) return page;
  if (key === 'PageUp' || key === ' ') return -page;
  if (key === 'ArrowDown') return linePx;
  if (key === 'ArrowUp') return -linePx;
  if (key === 'End') return scrollHeight;
  return key === 'Home' ? -scrollHeight : undefined;
}

/**
 * On a page that does not scroll, the keys that scroll a page scroll this container, unless the focus is in another or
 * in something that takes the key.
 */
export function useScrollKeys(container: RefObject<Element | null>, isOn: boolean): void {
  useEffect(() => {
    if (!isOn) return undefined;
    const onKey = (event: KeyboardEvent) => {
      const { target, key } = event;
      const scrolls = container.current;
      if (scrolls === null || isKeyTaken(event) || !(target instanceof Element)) return;
      if (key === ' ' && target.closest('button') !== null) return;
      const px = distanceOf(event, scrolls);
      if (px === undefined || isInScrollContainer(target)) return;
      event.preventDefault();
      scrolls.scrollBy(0, px);
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [container, isOn]);
}
