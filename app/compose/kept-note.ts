import { keptCookie, maxCounted, sentCookie } from '../../shared/lib/kept-note.ts';

/** What this browser's cookies say of a person's data here, also after all else was cleared. */
export interface KeptNote {
  /**
   * Undefined where nothing of a person was kept, or it was not noted. `sentAt`: by then all was sent; `isAllSent`:
   * nothing has begun to wait since. `count`: at most so many have waited at once, where it was counted.
   */
  read(): { readonly sentAt: string; readonly isAllSent: boolean; readonly count?: number | undefined } | undefined;
  /** Whether the browser has cleared the rest since it was noted. */
  isCleared(): boolean;
  /**
   * So many things wait that the server does not have (`maxCounted` where more do); without a number, it is not known
   * how many. Needs no signal. Cannot be lowered.
   */
  noteWaiting(count?: number): void;
  /** The server is asked for the cookies. */
  noteAsked(): void;
  /** Log-out. */
  forget(): void;
}

/** The mark that the browser clears with a person's data, while the cookies stay: where it is, nothing was cleared. */
const notClearedKey = 'dwang-kept';

/** `page`: `document`; `memory`: `localStorage`. */
export function createKeptNote(page: { cookie: string }, memory: Pick<Storage, 'getItem' | 'setItem'>): KeptNote {
  const valueOf = (name: string) => new RegExp(`(?:^|; )${name}=([^;]*)`).exec(page.cookie)?.[1];
  const drop = (name: string) => void (page.cookie = `${name}=; path=/; max-age=0`);
  /** The server's cookies that count (`countCookies`), and the one for whether anything waits, which has no number. */
  const counting = () => [...page.cookie.matchAll(/dwang-sent-?(\d*)/g)];
  const noteWaiting = (count = Infinity) => {
    for (const [name, at] of counting()) if (Number(at) <= count) drop(name);
  };
  return {
    read: () => {
      const sentAt = valueOf(keptCookie);
      if (sentAt === undefined || Number.isNaN(Date.parse(sentAt))) return undefined;
      const left = counting().filter(([, at]) => at).length;
      return {
        sentAt,
        isAllSent: valueOf(sentCookie) !== undefined,
        count: left === 0 ? undefined : maxCounted + 1 - left,
      };
    },
    isCleared: () => memory.getItem(notClearedKey) === null,
    noteWaiting,
    noteAsked: () => memory.setItem(notClearedKey, 'yes'),
    forget: () => {
      noteWaiting();
      drop(keptCookie);
    },
  };
}
