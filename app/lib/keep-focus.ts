/**
 * Notes which link of `root` has the focus. The function that comes back gives it to the same link, by address and
 * words, of what has replaced the content meanwhile.
 */
export function keepFocus(root: HTMLElement): () => void {
  const focused = document.activeElement;
  if (!(focused instanceof HTMLAnchorElement)) return () => undefined;
  const same = () =>
    [...root.querySelectorAll('a')].filter(
      (link) => link.getAttribute('href') === focused.getAttribute('href') && link.textContent === focused.textContent,
    );
  const at = same().indexOf(focused);
  return () => same()[at]?.focus({ preventScroll: true });
}
