import { day } from '../../../shared/lib/durations.ts';
import type { Database, Sql } from '../../db/database.ts';
import { wholeNumber } from '../../db/whole-number.ts';
import { readLastSafePoint, type SafeSource } from '../../store/safe-point.ts';

export interface Safety {
  /** What lets a change outlive the loss of the database; null: nothing does. */
  by: SafeSource | null;
  /** What was decided by then is safe; null where nothing is. */
  safeSince: Date | null;
  /** Changes applied since, or all of the last 30 days where nothing is safe: longer no phone keeps any. */
  notSafe: number;
  /** The last restore; null where there was none. */
  restore: {
    at: Date;
    /** Up to which version it has the timeline before. */
    point: string;
    /**
     * Changes that devices sent again: how many, and what became of them; from how many devices and people. A device
     * asks for a hundred at a time of what waits, each with those before it about the same row: of more about one row
     * the rest is never heard of while it waits.
     */
    sentAgain: {
      applied: number;
      refused: number;
      parked: number;
      waitingAtLeast: number;
      devices: number;
      people: number;
    };
    /** Of the devices known from before, how many have not been heard of since: they may hold more. */
    unheard: { devices: number; known: number };
  } | null;
}

/** How much is safe, and what came back after the last restore. From the database, of all instances. */
export function readSafety(database: Database, now: Date, by: SafeSource | undefined): Promise<Safety> {
  return database.transaction(
    async (sql) => {
      const safe = by === undefined ? undefined : await readLastSafePoint(sql, by);
      const { notSafe } = await sql
        .selectFrom('sync_mutation')
        .select((eb) => wholeNumber(eb.fn.countAll()).as('notSafe'))
        .where('status', '=', 'applied')
        .where('at', '>', safe?.at ?? new Date(now.getTime() - 30 * day))
        .executeTakeFirstOrThrow();
      return { by: by ?? null, safeSince: safe?.at ?? null, notSafe, restore: await readRestore(sql) };
    },
    { mode: 'snapshot' },
  );
}

async function readRestore(sql: Sql): Promise<Safety['restore']> {
  const restore = await sql
    .selectFrom('sync_timeline as begun')
    .innerJoin('sync_meta as meta', 'meta.lineage', 'begun.lineage')
    .select(['begun.began_at as at', 'begun.point'])
    .executeTakeFirst();
  if (restore === undefined) return null;
  const { devices, people, ...became } = await sql
    .selectFrom('sync_sent_again')
    .select((eb) => {
      const countOf = (end: string) => wholeNumber(eb.fn.countAll().filterWhere('became', '=', end));
      return [
        countOf('applied').as('applied'),
        countOf('refused').as('refused'),
        countOf('parked').as('parked'),
        countOf('restoring').as('waitingAtLeast'),
        wholeNumber(eb.fn.count('device').distinct()).as('devices'),
        wholeNumber(eb.fn.count('user_id').distinct()).as('people'),
      ];
    })
    .where('last_at', '>=', restore.at)
    .where('version', 'is not', null)
    .executeTakeFirstOrThrow();
  const unheard = await sql
    .selectFrom('sync_device')
    .select((eb) => [
      wholeNumber(eb.fn.countAll().filterWhere('last_at', '<', restore.at)).as('devices'),
      wholeNumber(eb.fn.countAll()).as('known'),
    ])
    .where('first_at', '<', restore.at)
    .executeTakeFirstOrThrow();
  return { ...restore, sentAgain: { ...became, devices, people }, unheard };
}
