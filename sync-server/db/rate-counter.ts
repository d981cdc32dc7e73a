import { sql as rawSql } from 'kysely';
import type { Database } from './database.ts';

/** `burst` at once, then one every `everyMs`. */
export interface RateRule {
  burst: number;
  everyMs: number;
}

/** Counts one for a key and answers 0, or answers how many milliseconds to wait, uncounted. */
export type RateCounter = (key: string, rule: RateRule) => Promise<number>;

const purgeEvery = 500;

/** Counts that every process on the database shares (generic cell rate algorithm: one instant a key). */
export function createRateCounter(parts: {
  database: Database;
  clock: () => Date;
  table: 'rate_limit' | 'embedded.rate_limits';
}): RateCounter {
  const { database, clock, table } = parts;
  const fullAt = rawSql.ref(`${table}.full_at`);
  let taken = 0;

  return async (key, { burst, everyMs }) => {
    const now = clock();
    taken += 1;
    if (taken % purgeEvery === 0) await database.sql.deleteFrom(table).where('full_at', '<', now).execute();
    const free = rawSql<Date>`greatest(${fullAt}, ${now}::timestamptz)`;
    const latest = new Date(now.getTime() + everyMs * (burst - 1));
    const counted = await database.sql
      .insertInto(table)
      .values({ key, full_at: new Date(now.getTime() + everyMs) })
      .onConflict((conflict) =>
        conflict
          .column('key')
          .doUpdateSet({ full_at: rawSql<Date>`${free} + ${everyMs} * interval '1 millisecond'` })
          .where(free, '<=', latest),
      )
      .returning('key')
      .executeTakeFirst();
    if (counted !== undefined) return 0;
    const row = await database.sql.selectFrom(table).select('full_at').where('key', '=', key).executeTakeFirst();
    return Math.max(1, (row?.full_at.getTime() ?? 0) - latest.getTime());
  };
}
