/**
 * Runs in the page before its own scripts: a toast stays until it is closed, as under a pointer that rests on it,
 * however slow the test is.
 */
export function holdToasts(): void {
  const hold = () =>
    document
      .querySelector('[aria-label="Notifications (F8)"][data-open] > *')
      ?.dispatchEvent(new PointerEvent('pointerover', { bubbles: true }));
  new MutationObserver(hold).observe(document, {
    subtree: true,
    childList: true,
    characterData: true,
    attributes: true,
    attributeFilter: ['data-open'],
  });
  // A real pointer has left it, as where the window changes its size.
  document.addEventListener('pointerout', hold);
}
