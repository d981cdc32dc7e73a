/**
 * Notes which link of `from` has the focus. The function that comes back gives it to the same link, by address and
 * words, of what has replaced the content meanwhile, in `to`.
 */
export function keepFocus(from: HTMLElement, to = from): () => void {
  const focused = document.activeElement;
  if (!(focused instanceof HTMLAnchorElement)) return () => undefined;
  const same = (root: HTMLElement) =>
    [...root.querySelectorAll('a')].filter(
      (link) => link.getAttribute('href') === focused.getAttribute('href') && link.textContent === focused.textContent,
    );
  const at = same(from).indexOf(focused);
  return () => same(to)[at]?.focus({ preventScroll: true });
}
