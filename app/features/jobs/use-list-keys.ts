import { useCallback, useEffect, useRef } from 'react';

interface ListKeys {
  readonly ids: readonly string[];
  readonly chosenId: string | undefined;
  readonly choose: (id: string | undefined) => void;
  /** Opens the chosen job's own page. */
  readonly open: (id: string) => void;
}

/** What is typed into a field, or pressed in a window over the page, is no key of the list. */
const isTaken = ({ defaultPrevented, ctrlKey, metaKey, altKey, target }: KeyboardEvent) =>
  defaultPrevented ||
  ctrlKey ||
  metaKey ||
  altKey ||
  (target instanceof Element && target.closest('input, textarea, select, [role=dialog], [role=menu]') !== null);

const isPressable = (target: EventTarget | null) => target instanceof Element && target.closest('a, button') !== null;

/**
 * j and k go through the list, Enter opens the chosen job's own page, Escape closes it, / goes to the search. Returns
 * what closes it by mouse: the same function each time.
 */
export function useListKeys(isOn: boolean, keys: ListKeys): () => void {
  const latest = useRef(keys);
  const close = useCallback(() => {
    const { chosenId, choose } = latest.current;
    choose(undefined);
    // The job had the focus, and is gone: one goes on from its card, if it has one. The address may name anything.
    const links = [...document.querySelectorAll<HTMLElement>('main article a')];
    const card = links.find((link) => link.getAttribute('href') === `/job/${chosenId}`);
    (card ?? document.querySelector<HTMLElement>('main h1'))?.focus({ preventScroll: true });
  }, []);
  useEffect(() => {
    latest.current = keys;
  });
  useEffect(() => {
    if (!isOn) return undefined;
    const onKey = (event: KeyboardEvent) => {
      const { ids, chosenId, choose, open } = latest.current;
      if (isTaken(event)) return;
      const at = chosenId === undefined ? -1 : ids.indexOf(chosenId);
      if (event.key === 'j' || event.key === 'k') {
        const next = ids[Math.min(ids.length - 1, Math.max(0, at + (event.key === 'j' ? 1 : -1)))];
        if (next !== undefined) choose(next);
      } else if (event.key === 'Escape' && chosenId !== undefined) close();
      else if (event.key === 'Enter' && chosenId !== undefined && !isPressable(event.target)) open(chosenId);
      else if (event.key === '/') document.querySelector<HTMLElement>('main input[type=search]')?.focus();
      else return;
      event.preventDefault();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [isOn, close]);
  return close;
}
