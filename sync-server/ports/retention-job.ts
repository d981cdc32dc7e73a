import type { Sql } from '../db/database.ts';

/** Something that is not kept for ever. */
export type RetentionJob = {
  /** For the commands and the log. */
  name: string;
  /** What is forgotten when, in words. */
  says: string;
} & (Portion | {
  /** For what lies outside of the database: it is fetched in portions, and no transaction waits for that. */
  portions(now: Date): AsyncIterable<Portion>;
});

/** Counting and forgetting look for the same things, so a dry run says what a run does. */
export interface Portion {
  /** How many there are to forget now. */
  count(sql: Sql, now: Date): Promise<number>;
  /** Forgets about `mostAtOnce` of them, and says how many; it is asked again until there were none. */
  forget(sql: Sql, now: Date): Promise<Forgotten>;
}

export interface Forgotten {
  count: number;
  /** What is to be done once that has been committed: files that nothing names any more. */
  after?: (() => Promise<void>) | undefined;
}

/** Lines a transaction: nobody waits long behind one. */
export const maxAtOnce = 1_000;

const day = 24 * 60 * 60_000;

/** So many days ago. */
export const daysBefore = (now: Date, days: number): Date => new Date(now.getTime() - days * day);
