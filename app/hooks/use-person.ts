import type { Tradie } from '../../shared/tables/index.ts';
import { useSessionContext } from '../context/app-context.ts';
import type { Live } from '../db/use-live.ts';
import { useRows } from '../db/use-rows.ts';
import type { Person } from '../context/watch-person.ts';
import { useWatched } from '../context/use-watched.ts';

/** The person's own row, live; null until the first exchange has brought it. */
export function usePerson(): Live<Person | null> {
  return useWatched(useSessionContext().person);
}

/**
 * The person's own business as it was on this phone, where a restore of the server's database has lost it and they have
 * no other.
 */
export function useLostBusiness(): Tradie | undefined {
  const { db } = useSessionContext();
  const person = usePerson();
  const lost = useRows(
    db,
    ['meta/lostBusiness'],
    ({ meta }) => meta.get('lostBusiness')?.value as Tradie | undefined,
    [],
  );
  const hasNone = person.state === 'ready' && person.value?.isTradie === false;
  return hasNone && lost.state === 'ready' ? lost.value : undefined;
}
