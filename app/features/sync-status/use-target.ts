import { targetOf, type CheckedRowOf } from '../../../shared/mutations/run-mutation.ts';
import type { MutationName } from '../../../shared/mutations/index.ts';
import { useSessionContext } from '../../context/app-context.ts';
import type { RejectedEntry } from '../../db/person-db.ts';
import { useLive, type Live } from '../../db/use-live.ts';
import { useWatched } from '../../context/use-watched.ts';

type Subject = CheckedRowOf<MutationName>;

/** The row that a waiting mutation is about, as this device has it: among the person's own, or in the feed. */
export function useTarget({ name, args }: Pick<RejectedEntry, 'name' | 'args'>): Live<Subject> {
  const { db, feed } = useSessionContext();
  useWatched(feed);
  const target = targetOf(name, args);
  const { table, id } = target ?? {};
  const own = useLive(
    async () => (table === undefined || id === undefined ? undefined : db[table].get(id)),
    [db, id, table],
  );
  if (own.state !== 'ready') return own;
  return {
    state: 'ready',
    value: (own.value as Subject) ?? (table === 'jobs' && id !== undefined ? feed.find(id) : undefined),
  };
}
