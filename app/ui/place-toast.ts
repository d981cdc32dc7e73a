/** What can be pressed or typed into. */
const controls = 'a[href], button, input, select, textarea, [role="button"], [tabindex="0"]';
/** What was pressed is spoken of together with the rest of this. */
const panes = '[role="dialog"], [role="alertdialog"], article, section, aside, form, main';
/** What is read: the names and the facts of what was pressed, and what a banner says of it. */
const words = 'h1, h2, dl, div[data-tone]';
const gapPx = 8;
const paddingPx = 8;
/** Of the window's height: further up it would stand in the middle of what one reads. */
const maxRaised = 1 / 4;

type Box = Pick<DOMRect, 'top' | 'right' | 'bottom' | 'left'>;
interface Obstacle {
  readonly box: Box;
  readonly weight: number;
}

/**
 * Keeps a toast clear of what it speaks of for as long as it is shown: until the function it gives is called.
 * `pressed`: what had the focus last, and all that it stands in, the nearest first.
 */
export function keepClear(region: HTMLElement, pressed: readonly Element[]): () => void {
  let last: Element | undefined;
  const look = () => {
    const spoken = spokenOf(region, pressed);
    if (spoken !== undefined) placeToast(region, spoken, spoken === last);
    last = spoken;
  };
  look();
  return onChangeBeside(region, look);
}

/**
 * Puts a toast where it covers least of what it speaks of: at the foot of the window as a rule, else under the header,
 * else above the control that it would cover. `spoken`: what was just pressed, or has to be mended. `isSame`: it was
 * that before, and a place that covers nothing of it is kept, so that a toast does not jump about.
 */
function placeToast(region: HTMLElement, spoken: Element, isSame: boolean): void {
  const obstacles = obstaclesOf(spoken);
  const costHere = () => costOf(boxOf(region), obstacles);
  if (isSame && costHere() === 0) return;
  const stand = (isAbove: boolean, raisePx: number) => {
    region.toggleAttribute('data-above', isAbove);
    region.style.setProperty('--raise', `${raisePx}px`);
  };
  stand(true, 0);
  const above = { isAbove: true, raisePx: 0, cost: costHere() };
  const highest = boxOf(region).top;
  stand(false, 0);
  const foot = boxOf(region);
  const raised = obstacles
    .map(({ box }) => foot.bottom - box.top + gapPx)
    .filter((px) => px > 0 && px <= window.innerHeight * maxRaised && foot.top - px >= highest)
    .toSorted((one, other) => one - other)
    .map((raisePx) => ({
      isAbove: false,
      raisePx,
      cost: costOf({ ...foot, top: foot.top - raisePx, bottom: foot.bottom - raisePx }, obstacles),
    }));
  const atFoot = { isAbove: false, raisePx: 0, cost: costHere() };
  // Where it is a small part of the window's width it keeps its edge of it.
  const isWide = window.innerWidth > 2 * (foot.right - foot.left);
  const places = isWide ? [atFoot, ...raised, above] : [atFoot, above, ...raised];
  const least = Math.min(...places.map(({ cost }) => cost));
  const best = places.find(({ cost }) => cost === least);
  if (best !== undefined) stand(best.isAbove, best.raisePx);
}

/** The region without its padding: the toast itself may still be on its way there. */
function boxOf(region: HTMLElement): Box {
  const { top, right, bottom, left } = region.getBoundingClientRect();
  const style = getComputedStyle(region);
  const px = (length: string) => Number.parseFloat(length) || 0;
  return {
    top: top + px(style.paddingTop),
    right: right - px(style.paddingRight),
    bottom: bottom - px(style.paddingBottom),
    left: left + px(style.paddingLeft),
  };
}

/** What was pressed and its card, of which no word may be hidden, and the facts and the controls beside it. */
function obstaclesOf(spoken: Element): Obstacle[] {
  const pane = spoken.closest(panes);
  const beside = (which: string, weight: number) =>
    [...(pane?.querySelectorAll(which) ?? [])].map((part) => ({ box: contentsOf(part), weight }));
  const whole = new Set([spoken, spoken.closest('article, li')].filter((part) => part !== null));
  return [
    ...[...whole]
      .map((part) => ({ box: contentsOf(part), weight: 10 }))
      // What fills half of the window is no one thing.
      .filter(({ box }) => box.height < window.innerHeight / 2),
    ...beside(words, 3),
    ...beside(controls, 1),
  ];
}

/** A control is pressed to its edge; of anything else the padding may be covered. */
function contentsOf(part: Element): Box & { readonly height: number } {
  const { top, right, bottom, left, height } = part.getBoundingClientRect();
  const padding = part.matches(controls) ? 0 : Math.min(paddingPx, height / 4);
  return { top: top + padding, right, bottom: bottom - padding, left, height };
}

const costOf = (toast: Box, obstacles: readonly Obstacle[]): number =>
  obstacles
    .filter(
      ({ box }) => box.bottom > toast.top && box.top < toast.bottom && box.right > toast.left && box.left < toast.right,
    )
    .reduce((sum, { weight }) => sum + weight, 0);

/** What has the focus; where that has left the page with what was pressed, what it stood in. */
function spokenOf(region: HTMLElement, pressed: readonly Element[]): Element | undefined {
  const focused = document.activeElement;
  if (focused !== null && focused !== document.body && !region.contains(focused)) return focused;
  return pressed.find((part) => part.isConnected);
}

/**
 * What was pressed changes as it is done: calls `look` then, but not while the toast is being read or used, nor under a
 * finger that is on it: the press would end beside its button. A pointer that rests where it has just pressed, under
 * the toast, reads nothing.
 */
function onChangeBeside(region: HTMLElement, look: () => void): () => void {
  let frame = 0;
  let hasCome = false;
  let isPressed = false;
  const onDown = () => (isPressed = true);
  const onUp = () => (isPressed = false);
  const onMove = ({ movementX, movementY }: PointerEvent) => (hasCome ||= movementX !== 0 || movementY !== 0);
  const onLeave = () => (hasCome = false);
  const soon = () => {
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(() => {
      const isUsed = isPressed || region.matches(':focus-within') || (hasCome && region.matches(':hover'));
      if (!isUsed) look();
    });
  };
  region.addEventListener('pointerdown', onDown);
  for (const ended of ['pointerup', 'pointercancel']) window.addEventListener(ended, onUp);
  region.addEventListener('pointermove', onMove);
  region.addEventListener('pointerleave', onLeave);
  const observer = new MutationObserver((records) => {
    if (records.some(({ target }) => !region.contains(target))) soon();
  });
  observer.observe(document.body, { childList: true, subtree: true });
  window.addEventListener('resize', soon);
  return () => {
    cancelAnimationFrame(frame);
    observer.disconnect();
    region.removeEventListener('pointerdown', onDown);
    for (const ended of ['pointerup', 'pointercancel']) window.removeEventListener(ended, onUp);
    region.removeEventListener('pointermove', onMove);
    region.removeEventListener('pointerleave', onLeave);
    window.removeEventListener('resize', soon);
  };
}
