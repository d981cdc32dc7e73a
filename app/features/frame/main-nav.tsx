import { useEffect } from 'react';
import type { SessionContext } from '../../context/app-context.ts';
import { useWatched } from '../../context/use-watched.ts';
import { useUnsynced } from '../../hooks/use-unsynced.ts';
import { setAppBadge } from '../../pwa/app-badge.ts';
import { Icon, type IconName } from '../../ui/icon.tsx';
import { isPlainClick, TextLink } from '../../ui/text-link.tsx';
import { VisuallyHidden } from '../../ui/visually-hidden.tsx';
import { waitingOf } from '../../words/waiting.ts';
import styles from './main-nav.module.css';

type NavItem = {
  readonly href: string;
  readonly icon: IconName;
  readonly label: string;
  /** Spoken in its place, before the number. */
  readonly spoken?: string;
  readonly count?: number;
};

function tradieItems(tradieId: string): readonly [NavItem, NavItem, NavItem] {
  return [
    { href: '/find-jobs', icon: 'search', label: 'Jobs' },
    { href: '/dashboard#jobs-interested', icon: 'check', label: 'Interested' },
    { href: `/tradie/${tradieId}`, icon: 'user', label: 'Profile' },
  ];
}

const homeownerItems: readonly NavItem[] = [
  { href: '/dashboard', icon: 'briefcase', label: 'My jobs' },
  { href: '/post-job', icon: 'plus', label: 'Post' },
  { href: '/find-tradies', icon: 'users', label: 'Tradies' },
  { href: '/edit-account', icon: 'user', label: 'Account' },
];

/**
 * What waits, or needs the person; null where nothing does, undefined while that is being read. Also the number on the
 * app's icon.
 */
function useWaitingItem(context: SessionContext): NavItem | null | undefined {
  const way = useUnsynced(context);
  const { changes, photos, needPerson } =
    way.state === 'ready' ? waitingOf(way.value) : { changes: 0, photos: 0, needPerson: 0 };
  useEffect(() => void setAppBadge(navigator, needPerson), [needPerson]);
  // The number is this person's: it goes with them.
  useEffect(() => () => void setAppBadge(navigator, 0), [context]);
  if (way.state === 'reading') return undefined;
  const at = { href: '/waiting' } as const;
  if (needPerson > 0) return { ...at, icon: 'alert', label: 'Needs you', count: needPerson };
  if (changes + photos === 0) return null;
  return { ...at, icon: 'send', label: 'Waiting', spoken: 'Waiting to send', count: changes + photos };
}

/**
 * Scrolls to the part of the page that the address names, also where it comes later than the page, and gives it the
 * focus.
 */
function useNamedPart(here: string): void {
  useEffect(() => {
    const name = here.split('#')[1];
    if (name === undefined) return;
    const go = () => {
      const part = document.getElementById(name);
      if (part === null) return false;
      part.tabIndex = -1;
      part.focus({ preventScroll: true });
      part.scrollIntoView();
      return true;
    };
    if (go()) return;
    const watcher = new MutationObserver(() => go() && stop());
    const stop = () => {
      watcher.disconnect();
      for (const act of acts) window.removeEventListener(act, stop);
    };
    // A person who has begun something else meanwhile stays there.
    const acts = ['pointerdown', 'keydown', 'wheel'] as const;
    for (const act of acts) window.addEventListener(act, stop);
    watcher.observe(document.body, { childList: true, subtree: true });
    return stop;
  }, [here]);
}

type MainNavProps = {
  readonly context: SessionContext;
  /** A new account: nothing more is to come that would make a tradie of them. */
  readonly lacksProfile: boolean;
  /** Path and hash of the address. */
  readonly here: string;
};

/** The main places of a person who is signed in: at the foot of a phone, in the header of a desktop. */
export function MainNav({ context, lacksProfile, here }: MainNavProps) {
  const person = useWatched(context.person);
  const waiting = useWaitingItem(context);
  useNamedPart(here);
  const user = person.state === 'ready' ? person.value?.user : undefined;
  // Undefined until the person's row is here: no person is shown another's places.
  const tradieId = user === undefined && lacksProfile ? null : user?.tradieId;
  // Nor does a place move aside for what waits.
  const own =
    tradieId === undefined || waiting === undefined ? [] : tradieId === null ? homeownerItems : tradieItems(tradieId);
  const last = own.length - 1;
  const shown = !waiting ? own : [...own.slice(0, last), waiting, ...own.slice(last)];
  return (
    <nav className={styles.places} aria-label="Main" data-main-nav>
      <ul role="list">
        {shown.map(({ href, icon, label, spoken = label, count }) => (
          <li key={href}>
            <TextLink
              href={href}
              className={styles.place ?? ''}
              aria-current={href === here ? 'page' : undefined}
              onClick={(event) => {
                // To the top of where one is, with what was chosen there.
                if (href !== here || href.includes('#') || !isPlainClick(event)) return;
                event.preventDefault();
                window.scrollTo(0, 0);
              }}
            >
              <Icon name={icon} />
              {count === undefined ? (
                <span>{label}</span>
              ) : (
                <>
                  <VisuallyHidden>{`${spoken}: `}</VisuallyHidden>
                  <span aria-hidden>{label}</span>
                  <span className={styles.count} data-needs={icon === 'alert' || undefined}>
                    {count}
                  </span>
                </>
              )}
            </TextLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}
