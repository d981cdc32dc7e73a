import { useCallback, useEffect, useRef } from 'react';
import { isKeyTaken } from '../../lib/is-key-taken.ts';

interface Listed {
  readonly id: string;
}

interface ListKeys {
  readonly jobs: readonly Listed[];
  /** False while `jobs` are still those of what was searched for before. */
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
const placeIn = (jobs: readonly Listed[], id: string | undefined) =>
  id === undefined ? -1 : jobs.findIndex((job) => job.id === id);
const idOf = (link: Element) => link.getAttribute('href')?.slice('/job/'.length) ?? '';

/**
 * What j and k go on from where no job is open: the card that has the focus, else from before the first card that is
 * whole in sight, which they open.
 */
function placeWithoutChosen(jobs: readonly Listed[], isDown: boolean): number {
  const links = cardLinks();
  const focused = links.find((link) => link === document.activeElement);
  if (focused !== undefined) return placeIn(jobs, idOf(focused));
  const scrolls = document.querySelector('[data-scroll-restoration-id=jobs]');
  const underHeader = Number.parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop) || 0;
  const top = scrolls?.getBoundingClientRect().top ?? underHeader;
  const shown = links.find((link) => (link.closest('article')?.getBoundingClientRect().top ?? 0) >= top - 1);
  const at = shown === undefined ? 0 : placeIn(jobs, idOf(shown));
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
    const { jobs, chosenId, isCurrent, keeper } = keys;
    const at = placeIn(jobs, chosenId);
    if (chosenId !== undefined && at >= 0) kept.set(keeper, { id: chosenId, at });
    latest.current = keys;
    if (!isLeavingSearch.current || !isCurrent) return;
    isLeavingSearch.current = false;
    if (document.activeElement === findHeading()) focusCard(at >= 0 ? chosenId : jobs[0]?.id);
  });
  const { jobs, chosenId, isChosenHidden, isCurrent, keeper } = keys;
  useEffect(() => {
    const place = placeOf({ chosenId, keeper });
    // One that was opened by its link has no place here, and stays.
    if (!isOn || !isChosenHidden || !isCurrent || place === undefined) return;
    if (chosenId === undefined || placeIn(jobs, chosenId) >= 0) return;
    latest.current.choose(jobs[place]?.id);
    if (jobs[place] === undefined) findHeading()?.focus({ preventScroll: true });
  }, [isOn, jobs, chosenId, isChosenHidden, isCurrent, keeper]);
  useEffect(() => {
    if (!isOn) return undefined;
    const onKey = (event: KeyboardEvent) => {
      const { jobs, isCurrent, chosenId, choose, open } = latest.current;
      const at = placeIn(jobs, chosenId);
      if (leavesSearch(event)) {
        // The card that is first now may go with the letter just typed.
        isLeavingSearch.current = !isCurrent;
        focusCard(!isCurrent ? undefined : at >= 0 ? chosenId : jobs[0]?.id);
        return event.preventDefault();
      }
      if (isKeyTaken(event)) return;
      if (event.key === 'j' || event.key === 'k') {
        const isDown = event.key === 'j';
        const left = placeOf(latest.current);
        // In the place of one that has left stands the next.
        const before = left === undefined ? placeWithoutChosen(jobs, isDown) : left - (isDown ? 1 : 0);
        const from = at >= 0 ? at : before;
        const next = jobs[Math.min(jobs.length - 1, Math.max(0, from + (isDown ? 1 : -1)))];
        if (next !== undefined) choose(next.id);
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
