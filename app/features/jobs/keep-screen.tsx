import { startTransition, useEffect, useState, type ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { useApp, useSessionContext } from '../../context/app-context.ts';
import { useWatched } from '../../context/use-watched.ts';
import { usePerson } from '../../hooks/use-person.ts';
import { stylesOf, takeScreen } from '../../lib/take-screen.ts';
import { StateBar } from '../../ui/state-bar.tsx';
import { connectionWords } from '../../words/connection-words.ts';
import { formatDayAndTime } from '../../words/dates.ts';

/** The page has to be still for so long: until then it is likely to change again, or to be used. */
const quietMs = 3_000;

/**
 * A job or the map is open, or something is searched for: the next visit begins with the list, under the filters that
 * are remembered (`remembered-filters.ts`).
 */
const passing = /[?&](job|map|on|q|hidden|later)=/;

type KeepScreenProps = {
  /** The first rows of the list; another value once they have changed. */
  readonly children: ReactNode;
};

/**
 * Keeps the page, with the first rows of its list, for the next cold start: whenever they have changed and the page has
 * been still for a while.
 */
export function KeepScreen({ children }: KeepScreenProps) {
  const { connection, now, log } = useApp();
  const { keepScreen } = useSessionContext();
  const person = usePerson();
  const { lastSynced } = useWatched(connection);
  const until = person.state === 'ready' ? person.value?.user.subscriptionValidUntil : undefined;
  const [places, setPlaces] = useState<{ readonly list: Element; readonly bar: Element }>();
  const [last] = useState({ children, isKept: true });
  useEffect(() => {
    if (last.children === children) return;
    last.children = children;
    // A job that was just hidden is not shown again, nor what other filters have found.
    if (last.isKept)
      keepScreen(window.location.pathname, undefined).catch((error: unknown) =>
        log('screen-not-deleted', String(error)),
      );
    last.isKept = false;
  }, [children, last, keepScreen, log]);
  useEffect(() => {
    const timer = setTimeout(() => {
      const begin = () =>
        startTransition(() => setPlaces({ list: document.createElement('div'), bar: document.createElement('div') }));
      if ('requestIdleCallback' in window) window.requestIdleCallback(begin, { timeout: quietMs });
      else begin();
    }, quietMs);
    return () => {
      clearTimeout(timer);
      setPlaces(undefined);
    };
  }, [children, until]);
  useEffect(() => {
    const root = document.getElementById('root');
    const build = document.querySelector('script[type="module"]')?.getAttribute('src');
    if (places === undefined || root === null || build == null || until === undefined) return;
    const { pathname, search } = window.location;
    setPlaces(undefined);
    if (passing.test(search) || root.querySelector('[aria-expanded="true"]') !== null) return;
    const html = takeScreen(root, { '[data-list="jobs"]': places.list.innerHTML, '[data-bar]': places.bar.innerHTML });
    const end = until === null ? null : Date.parse(until) + Date.now() - Date.parse(now());
    const { title } = document;
    last.isKept = true;
    // A device that cannot keep it starts as it did before.
    keepScreen(pathname, {
      search,
      build,
      title,
      styles: stylesOf(html),
      width: window.innerWidth,
      until: end,
      html,
    }).catch((error: unknown) => log('screen-not-kept', String(error)));
  }, [places, until, now, last, keepScreen, log]);
  if (places === undefined) return null;
  return (
    <>
      {createPortal(children, places.list)}
      {createPortal(
        <StateBar kind="offline">
          {[connectionWords.offline, lastSynced !== null && `Showing jobs from ${formatDayAndTime(lastSynced, now())}.`]
            .filter(Boolean)
            .join(' ')}
        </StateBar>,
        places.bar,
      )}
    </>
  );
}
