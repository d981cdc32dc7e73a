/**
 * A keyboard is at least as high as this, a browser's own bar, which comes and goes while one scrolls, is lower; in CSS
 * pixels.
 */
const leastKeyboard = 120;

/**
 * Keeps the field in hand in sight with what describes it, its error too, while a keyboard is there: as it comes, as
 * another field is taken in hand, and as a message comes. Browsers themselves see to the caret at most, and the message
 * below it stays covered.
 */
export function keepFieldInSight(viewport: VisualViewport): void {
  let { width, height } = viewport;
  let isKeyboard = false;
  const show = () => {
    const field = document.activeElement;
    if (!isKeyboard || !field?.matches('input, textarea')) return;
    const describing = (field.getAttribute('aria-describedby') ?? '').split(' ');
    // The field comes last: where there is no room for all, it is what one sees.
    for (const part of [...describing.map((id) => document.getElementById(id)), field]) {
      if (part === null) continue;
      part.scrollIntoView({ block: 'nearest' });
      if (field.closest('[role$=dialog]')) continue;
      // On an iPhone the page goes on below the keyboard, and above what is seen, and counts as seen there; a dialog is
      // as high as what is seen.
      const { top, bottom } = part.getBoundingClientRect();
      const { offsetTop } = viewport;
      const by = Math.max(bottom - offsetTop - viewport.height, Math.min(top - offsetTop, 0));
      // What is not drawn is nowhere.
      if (bottom > top && by !== 0) window.scrollBy(0, by);
    }
  };
  // By then an open dialog has been drawn as high as what is seen.
  const showSoon = () => requestAnimationFrame(show);
  viewport.addEventListener('resize', () => {
    // Two fingers show less of the page, and no keyboard has come. Without them the scale is 1 but for rounding.
    if (viewport.scale > 1.01) return;
    // Turned, it has another height, and no keyboard has come or gone.
    const change = viewport.width === width ? height - viewport.height : 0;
    ({ width, height } = viewport);
    if (Math.abs(change) < leastKeyboard) return;
    isKeyboard = change > 0;
    showSoon();
  });
  document.addEventListener('focusin', showSoon);
  new MutationObserver(showSoon).observe(document, { subtree: true, attributeFilter: ['aria-describedby'] });
}
