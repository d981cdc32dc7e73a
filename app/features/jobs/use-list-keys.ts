import { useCallback, useEffect, useRef } from 'react';
import { isKeyTaken } from '../../lib/is-key-taken.ts';

interface ListKeys {
  readonly ids: readonly string[];
  /** False while `ids` are still those of what was searched for before. */
  readonly isCurrent: boolean;
  readonly chosenId: string | undefined;
  /** The person has hidden the chosen job: beside the list, or on its own page. */
  readonly isChosenHidden: boolean;
  readonly choose: (id: string | undefined) => void;
  /** Opens the chosen job's own page. */
  readonly open: (id: string) => void;
  /** An object that lives as long as this person's session context: the place in the list is kept by it. */
  readonly keeper: object;
}

interface Place {
  readonly id: string;
  readonly at: number;
}

/** Where the job that was chosen last stands, or stood: kept while its own page is open. */
const kept = new WeakMap<object, Place>();

const isPressable = (target: EventTarget | null) => target instanceof Element && target.closest('a, button') !== null;

const searchField = 'main input[type=search]';

/** Escape arrives here from an empty search only: one with text takes it, and is emptied. */
const leavesSearch = ({ key, target, isComposing }: KeyboardEvent) =>
  (key === 'Enter' || key === 'Escape') && !isComposing && target instanceof Element && target.matches(searchField);

const findHeading = () => document.querySelector<HTMLElement>('main h1');

const cardLinks = () => [...document.querySelectorAll<HTMLElement>('main article a[href^="/job/"]')];
const idOf = (link: Element) => link.getAttribute('href')?.slice('/job/'.length) ?? '';

/**
 * What j and k go on from where no job is open: the card that has the focus, else from before the first card that is
 * whole in sight, which they open.
 */
function placeWithoutChosen(ids: readonly string[], isDown: boolean): number {
  const links = cardLinks();
  const focused = links.find((link) => link === document.activeElement);
  if (focused !== undefined) return ids.indexOf(idOf(focused));
  const scrolls = document.querySelector('[data-scroll-restoration-id=jobs]');
  const underHeader = Number.parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop) || 0;
  const top = scrolls?.getBoundingClientRect().top ?? underHeader;
  const shown = links.find((link) => (link.closest('article')?.getBoundingClientRect().top ?? 0) >= top - 1);
  const at = shown === undefined ? 0 : ids.indexOf(idOf(shown));
  return at + (isDown ? -1 : 1);
}

/** The address may name anything, and of a long list few cards are in the page: without one, the heading. */
function focusCard(id: string | undefined) {
  const card = cardLinks().find((link) => idOf(link) === id);
  (card ?? findHeading())?.focus({ preventScroll: true });
}

/** Where the chosen job stands in the list, or stood before it left; undefined where it was never seen there. */
function placeOf({ chosenId, keeper }: Pick<ListKeys, 'chosenId' | 'keeper'>): number | undefined {
  const last = kept.get(keeper);
  return last !== undefined && last.id === chosenId ? last.at : undefined;
}

/**
 * j and k go through the list, Enter opens the chosen job's own page, Escape closes it, / goes to the search, which
 * Enter and Escape leave. Where the chosen job is hidden, the next one opens in its place. Returns what closes the
 * chosen job by mouse: the same function each time.
 */
export function useListKeys(isOn: boolean, keys: ListKeys): () => void {
  const latest = useRef(keys);
  const isLeavingSearch = useRef(false);
  const close = useCallback(() => {
    const { chosenId, choose } = latest.current;
    choose(undefined);
    // The job had the focus, and is gone: one goes on from its card.
    focusCard(chosenId);
  }, []);
  useEffect(() => {
    const { ids, chosenId, isCurrent, keeper } = keys;
    const at = chosenId === undefined ? -1 : ids.indexOf(chosenId);
    if (chosenId !== undefined && at >= 0) kept.set(keeper, { id: chosenId, at });
    latest.current = keys;
    if (!isLeavingSearch.current || !isCurrent) return;
    isLeavingSearch.current = false;
    if (document.activeElement === findHeading()) focusCard(at >= 0 ? chosenId : ids[0]);
  });
  const { ids, chosenId, isChosenHidden, isCurrent, keeper } = keys;
  useEffect(() => {
    const place = placeOf({ chosenId, keeper });
    // One that was opened by its link has no place here, and stays.
    if (!isOn || !isChosenHidden || !isCurrent || place === undefined) return;
    if (chosenId === undefined || ids.includes(chosenId)) return;
    latest.current.choose(ids[place]);
    if (ids[place] === undefined) findHeading()?.focus({ preventScroll: true });
  }, [isOn, ids, chosenId, isChosenHidden, isCurrent, keeper]);
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
      if (isKeyTaken(event)) return;
      if (event.key === 'j' || event.key === 'k') {
        const isDown = event.key === 'j';
        const left = placeOf(latest.current);
        // In the place of one that has left stands the next.
        const before = left === undefined ? placeWithoutChosen(ids, isDown) : left - (isDown ? 1 : 0);
        const from = at >= 0 ? at : before;
        const next = ids[Math.min(ids.length - 1, Math.max(0, from + (isDown ? 1 : -1)))];
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
  return close;
}
