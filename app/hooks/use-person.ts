import { useSessionContext } from '../context/app-context.ts';
import type { Live } from '../db/use-live.ts';
import type { Person } from '../context/watch-person.ts';
import { useWatched } from '../context/use-watched.ts';

/** The person's own row, live; null until the first exchange has brought it. */
export function usePerson(): Live<Person | null> {
  return useWatched(useSessionContext().person);
}
