import { useCallback, useEffect, useRef } from 'react';

interface ListKeys {
  readonly ids: readonly string[];
  /** False while `ids` are still those of what was searched for before. */
  readonly isCurrent: boolean;
  readonly chosenId: string | undefined;
  readonly choose: (id: string | undefined) => void;
  /** Opens the chosen job's own page. */
  readonly open: (id: string) => void;
}

interface ListMoves {
  /** Closes the chosen job. */
  readonly close: () => void;
  /** The chosen job leaves the list: the next one opens in its place. */
  readonly goOn: () => void;
}

/** What is typed into a field, or pressed in a window over the page, is no key of the list. */
const isTaken = ({ defaultPrevented, ctrlKey, metaKey, altKey, target }: KeyboardEvent) =>
  defaultPrevented ||
  ctrlKey ||
  metaKey ||
  altKey ||
  (target instanceof Element && target.closest('input, textarea, select, [role=dialog], [role=menu]') !== null);

const isPressable = (target: EventTarget | null) => target instanceof Element && target.closest('a, button') !== null;

const searchField = 'main input[type=search]';

/** Escape arrives here from an empty search only: one with text takes it, and is emptied. */
const leavesSearch = ({ key, target, isComposing }: KeyboardEvent) =>
  (key === 'Enter' || key === 'Escape') && !isComposing && target instanceof Element && target.matches(searchField);

const findHeading = () => document.querySelector<HTMLElement>('main h1');

/** The address may name anything, and of a long list few cards are in the page: without one, the heading. */
function focusCard(id: string | undefined) {
  const links = [...document.querySelectorAll<HTMLElement>('main article a')];
  const card = links.find((link) => link.getAttribute('href') === `/job/${id}`);
  (card ?? findHeading())?.focus({ preventScroll: true });
}

/**
 * j and k go through the list, Enter opens the chosen job's own page, Escape closes it, / goes to the search, which
 * Enter and Escape leave. Returns what does the same by mouse: the same functions each time.
 */
export function useListKeys(isOn: boolean, keys: ListKeys): ListMoves {
  const latest = useRef(keys);
  /** Where the chosen job stands in the list, or stood before it left. */
  const place = useRef<number>(undefined);
  const isLeavingSearch = useRef(false);
  const close = useCallback(() => {
    const { chosenId, choose } = latest.current;
    choose(undefined);
    // The job had the focus, and is gone: one goes on from its card.
    focusCard(chosenId);
  }, []);
  const goOn = useCallback(() => {
    const { ids, chosenId, choose } = latest.current;
    const isThere = chosenId !== undefined && ids.includes(chosenId);
    const next = place.current === undefined ? undefined : ids[place.current + (isThere ? 1 : 0)];
    choose(next);
    if (next === undefined) findHeading()?.focus({ preventScroll: true });
  }, []);
  useEffect(() => {
    const { ids, chosenId, isCurrent } = keys;
    const at = chosenId === undefined ? -1 : ids.indexOf(chosenId);
    if (at >= 0) place.current = at;
    else if (chosenId !== latest.current.chosenId) place.current = undefined;
    latest.current = keys;
    if (!isLeavingSearch.current || !isCurrent) return;
    isLeavingSearch.current = false;
    if (document.activeElement === findHeading()) focusCard(at >= 0 ? chosenId : ids[0]);
  });
  useEffect(() => {
    if (!isOn) return undefined;
    const onKey = (event: KeyboardEvent) => {
      const { ids, isCurrent, chosenId, choose, open } = latest.current;
      const at = chosenId === undefined ? -1 : ids.indexOf(chosenId);
      if (leavesSearch(event)) {
        // The card that is first now may go with the letter just typed.
        isLeavingSearch.current = !isCurrent;
        focusCard(!isCurrent ? undefined : at >= 0 ? chosenId : ids[0]);
        return event.preventDefault();
      }
      if (isTaken(event)) return;
      if (event.key === 'j' || event.key === 'k') {
        const next = ids[Math.min(ids.length - 1, Math.max(0, at + (event.key === 'j' ? 1 : -1)))];
        if (next !== undefined) choose(next);
      } else if (event.key === 'Escape' && chosenId !== undefined) close();
      else if (event.key === 'Enter' && chosenId !== undefined && !isPressable(event.target)) open(chosenId);
      else if (event.key === '/') document.querySelector<HTMLElement>(searchField)?.focus();
      else return;
      event.preventDefault();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [isOn, close]);
  return { close, goOn };
}
