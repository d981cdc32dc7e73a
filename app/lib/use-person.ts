import { useSessionContext } from '../app-context.ts';
import type { Live } from '../db/use-live.ts';
import type { Person } from './watch-person.ts';
import { useWatched } from './watched.ts';

/** The person's own row, live; null until the first exchange has brought it. */
export function usePerson(): Live<Person | null> {
  return useWatched(useSessionContext().person);
}
