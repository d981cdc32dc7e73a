import type { Tradie } from '../../shared/tables/index.ts';
import { useSessionContext } from '../context/app-context.ts';
import { useRows } from '../db/use-rows.ts';
import { usePerson } from './use-person.ts';

/** The person's own business as it was on this phone, where a restore of the server's database has lost it and they have no other. */
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
