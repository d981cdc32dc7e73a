import { keepFocus } from './keep-focus.ts';

const scrolls = '[data-scroll-restoration-id]';

/**
 * Replaces the page that was kept from the last visit (`#kept`) with the app's own as soon as that has what it is to
 * show: at the place that was scrolled to, with the focus where it was.
 */
export function leaveKeptScreen(kept: HTMLElement, root: HTMLElement): void {
  const page = document.documentElement;
  // A page that opens is scrolled to its top, or after a reload to where it was, which would move the one that is seen.
  const { scrollTo } = window;
  let wanted: Parameters<typeof scrollTo> | undefined;
  window.scrollTo = (...place: unknown[]) => void (wanted = place as typeof wanted);
  const leave = () => {
    observer.disconnect();
    const { scrollX, scrollY } = window;
    window.scrollTo = scrollTo;
    const focusAgain = keepFocus(kept, root);
    const tops = [...kept.querySelectorAll(scrolls)].map(({ scrollTop }) => scrollTop);
    kept.remove();
    delete page.dataset['kept'];
    delete page.dataset['offline'];
    if (scrollY > 0) window.scrollTo(scrollX, scrollY);
    else if (wanted !== undefined) window.scrollTo(...wanted);
    for (const [at, element] of root.querySelectorAll(scrolls).entries())
      element.scrollTop = tops[at] || element.scrollTop;
    focusAgain();
    // A long list draws its rows a moment later.
    requestAnimationFrame(() => requestAnimationFrame(() => document.activeElement === document.body && focusAgain()));
  };
  const look = () => {
    if (page.dataset['kept'] === undefined || page.dataset['start'] === 'failed' || isThere(root)) leave();
  };
  const observer = new MutationObserver(look);
  observer.observe(root, { childList: true, subtree: true, attributes: true, attributeFilter: ['data-waiting'] });
  observer.observe(page, { attributes: true, attributeFilter: ['data-start'] });
  look();
}

/** The app has drawn a page, and waits for nothing more to show on it. */
const isThere = (root: HTMLElement): boolean =>
  root.querySelector('main h1') !== null && root.querySelector('main [data-waiting]') === null;
