import { day } from '../../shared/lib/durations.ts';
import { useApp, type SessionContext } from '../context/app-context.ts';
import { useRows } from '../db/use-rows.ts';
import type { SentNote } from '../sync/decided.ts';
import { isAsked } from '../words/mutation-words.ts';

/** Later it is no news. */
const newsFor = day;
const none: readonly SentNote[] = [];

/** What this person did and the server took in the last day, the newest first: it may have gone out by itself. */
export function useSent({ db }: Pick<SessionContext, 'db'>): readonly SentNote[] {
  const { now } = useApp();
  const sent = useRows(
    db,
    ['meta/sent', 'outbox'],
    ({ meta, outbox }) => {
      const notes = (meta.get('sent')?.value ?? none) as readonly SentNote[];
      const since = new Date(Date.parse(now()) - newsFor).toISOString();
      // What a restored database has forgotten waits once more.
      return notes.filter((note) => isAsked(note) && note.at > since && !outbox.has(note.uid)).toReversed();
    },
    [now],
  );
  return sent.state === 'ready' ? sent.value : none;
}
