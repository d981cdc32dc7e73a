import { day } from '../../shared/lib/durations.ts';
import { keptNotePath, maxCounted } from '../../shared/lib/kept-note.ts';
import type { AuthState } from '../context/app-context.ts';
import type { Unsynced } from '../context/watch-unsynced.ts';
import type { Watched } from '../lib/cell.ts';
import type { KeptNote } from './kept-note.ts';

interface UnsentPorts {
  authState: Watched<AuthState>;
  note: KeptNote;
  fetch: typeof fetch;
  /** Whether another person's changes wait in this browser (I17); false where that cannot be read. */
  othersWait(userId: string): Promise<boolean>;
  /** What an earlier note says and the person is still to be told; null once they were. */
  untold: Watched<unknown>;
  /** Unix milliseconds. */
  now(): number;
}

const isEmpty = ({ logo, ...lists }: Unsynced) =>
  logo === undefined && Object.values(lists).every((list) => list === undefined || list.length === 0);

/** What waits, a photo once; what is held back for a moment is not yet one more. */
function countOf({ outbox, saving, rejected, photos, logo }: Unsynced): number {
  const sending = new Set(photos.map(({ id }) => id));
  const isItsPhoto = ({ name, args }: { name: string; args: unknown }) =>
    name === 'photo.attach' && sending.has((args as { id: string }).id);
  const changes = [...outbox, ...saving].filter((entry) => !isItsPhoto(entry));
  const all = changes.length + photos.length + rejected.length + (logo === undefined ? 0 : 1);
  return Math.min(maxCounted, Math.max(1, all));
}

/**
 * Keeps the note of the person who is signed in: taken away in the moment in which something begins to wait, asked for
 * anew once the server has everything, at most once for each exchange, and once a day.
 */
export function followUnsent({ authState, note, fetch, othersWait, untold, now }: UnsentPorts): void {
  let followed: unknown;
  let stop = () => undefined as void;
  const follow = () => {
    const here = authState.current();
    const context = here.kind === 'signed-in' ? here.context : undefined;
    if (context === followed) return;
    stop();
    followed = context;
    stop = () => undefined;
    if (context === undefined) return;
    const { unsynced, sync } = context;
    let askedAfter: string | null = null;
    const leaving = new AbortController();
    const look = () => {
      const all = unsynced.current();
      if (all.state !== 'ready') return;
      if (!isEmpty(all.value)) return note.noteWaiting(countOf(all.value));
      const kept = note.read();
      if (kept?.isAllSent === true && now() - Date.parse(kept.sentAt) < day) return;
      const { lastSynced, reach } = sync.status.current();
      if ((reach !== 'online' && reach !== 'slow') || lastSynced === askedAfter || untold.current() !== null) return;
      askedAfter = lastSynced;
      void ask();
    };
    /** Where the server cannot be asked, what is noted stays as it is. */
    const ask = async () => {
      try {
        if (await othersWait(context.userId)) return note.noteWaiting();
        leaving.signal.throwIfAborted();
        note.noteAsked();
        await askForNote(fetch, leaving.signal);
      } catch {
        return;
      } finally {
        // The answer of a slow line may bring back what the log-out has taken away.
        if (authState.current().kind === 'signed-out' && !(await othersWait(context.userId))) note.forget();
      }
      // Something may have begun to wait meanwhile, and the answer has brought back what was taken away.
      if (!leaving.signal.aborted) look();
    };
    const stops = [unsynced.subscribe(look), sync.status.subscribe(look), untold.subscribe(look)];
    stop = () => {
      leaving.abort();
      stops.forEach((end) => end());
    };
    look();
    // How many of another person's wait is not known here.
    void othersWait(context.userId).then((wait) => wait && note.noteWaiting());
  };
  authState.subscribe(follow);
  follow();
}

function askForNote(fetch: UnsentPorts['fetch'], signal: AbortSignal): Promise<Response> {
  const headers = { 'content-type': 'application/json' };
  return fetch(keptNotePath, {
    method: 'POST',
    headers,
    body: JSON.stringify({ allSent: true, counts: true }),
    signal,
  });
}
