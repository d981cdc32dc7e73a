/** Names that other elements are found by: in a copy they are others, since both are in the page for a moment. */
const references = ['id', 'for', 'aria-labelledby', 'aria-describedby', 'aria-controls', 'aria-owns'];
const controls = 'button, input, select, textarea, [role="slider"]';

interface Fillings {
  /** Replaces what these elements hold, by selector. */
  readonly [selector: string]: string;
}

/**
 * A copy of what `root` shows, as HTML that stands without the app: links lead on, and no control can be pressed, as
 * none would answer. Left out is what is true for the moment alone (`data-passing`), and links to a place in the page;
 * `data-later` holds what is said then in place of an element's words. Styles in attributes are left out too: the
 * content security policy refuses them.
 */
export function takeScreen(root: Element, fillings: Fillings): string {
  const copy = root.cloneNode(true) as Element;
  for (const [selector, html] of Object.entries(fillings))
    for (const element of copy.querySelectorAll(selector)) element.innerHTML = html;
  for (const element of copy.querySelectorAll('[data-passing], [role="dialog"], script, a[href^="#"]'))
    element.remove();
  for (const element of copy.querySelectorAll<HTMLElement>('[data-later]'))
    element.textContent = element.dataset['later'] ?? '';
  for (const element of copy.querySelectorAll('*')) {
    element.removeAttribute('style');
    for (const name of references) {
      const value = element.getAttribute(name);
      if (value !== null) element.setAttribute(name, value.replace(/\S+/g, 'kept-$&'));
    }
    if (element instanceof HTMLImageElement && element.src.startsWith('blob:')) element.remove();
    if (element.matches(controls)) {
      if (element.matches('[role="slider"]')) element.setAttribute('aria-disabled', 'true');
      else element.setAttribute('disabled', '');
      element.removeAttribute('tabindex');
    }
  }
  return copy.innerHTML;
}

/** Addresses of the style sheets of this page that name a class of this HTML. */
export function stylesOf(html: string, sheets: Iterable<CSSStyleSheet> = document.styleSheets): string[] {
  const classes = new Set([...html.matchAll(/ class="([^"]*)"/g)].flatMap(([, names = '']) => names.split(/\s+/)));
  const isNeeded = ({ cssRules }: CSSStyleSheet) =>
    [...cssRules].some(({ cssText }) =>
      [...cssText.matchAll(/\.([\w-]+)/g)].some(([, name = '']) => classes.has(name)),
    );
  return [...sheets].flatMap((sheet) => {
    const address = sheet.href === null ? undefined : new URL(sheet.href).pathname;
    return address !== undefined && isNeeded(sheet) ? [address] : [];
  });
}
