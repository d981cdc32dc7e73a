const takesKeys = 'input, textarea, select, [role=dialog], [role=alertdialog], [role=menu], [role=listbox]';

/** What is typed into a field, pressed with another key or in a window over the page is no key of the page. */
export function isKeyTaken({ defaultPrevented, ctrlKey, metaKey, altKey, target }: KeyboardEvent): boolean {
  return (
    defaultPrevented ||
    ctrlKey ||
    metaKey ||
    altKey ||
    (target instanceof Element && target.closest(takesKeys) !== null)
  );
}
