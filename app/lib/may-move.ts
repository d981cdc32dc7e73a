/** Whether the page may begin a view transition: the browser has them, and its person does not want less motion. */
export function mayMove(): boolean {
  return (
    'startViewTransition' in document &&
    !document.hidden &&
    !window.matchMedia('(prefers-reduced-motion: reduce)').matches
  );
}
