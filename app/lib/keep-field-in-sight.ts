/** A keyboard is at least as high as this, a browser's own bar, which comes and goes while one scrolls, is lower; in CSS pixels. */
const leastKeyboard = 120;

/**
 * Scrolls the field in hand into sight with what describes it, its error too, as a keyboard comes. Browsers themselves see to the caret at
 * most, and the message below it stays covered.
 */
export function keepFieldInSight(viewport: VisualViewport): void {
  let { height } = viewport;
  viewport.addEventListener('resize', () => {
    const isKeyboard = height - viewport.height > leastKeyboard;
    height = viewport.height;
    const field = document.activeElement;
    if (!isKeyboard || !field?.matches('input, textarea')) return;
    const describing = (field.getAttribute('aria-describedby') ?? '').split(' ');
    // The field comes last: where there is no room for all, it is what one sees.
    for (const part of [...describing.map((id) => document.getElementById(id)), field])
      part?.scrollIntoView({ block: 'nearest' });
  });
}
