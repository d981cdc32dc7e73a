import { day } from '../../shared/lib/durations.ts';
import type { Sql } from '../db/database.ts';

/** One kind of data with a retention period. */
export type RetentionJob = {
  /** The name that the commands and the log use. */
  name: string;
  /** What is deleted when, in words. */
  says: string;
} & (
  | RetentionBatch
  | {
      /** For files outside of the database: they are fetched in portions, and no transaction waits for that. */
      portions(now: Date): AsyncIterable<RetentionBatch>;
    }
);

/** Counting and deleting use the same condition, so a dry run reports what a run does. */
export interface RetentionBatch {
  /** How many there are to delete now. */
  count(sql: Sql, now: Date): Promise<number>;
  /** Deletes about `maxAtOnce` of them, and returns how many; it is called again until there were none. */
  forget(sql: Sql, now: Date): Promise<DeletedRows>;
}

export interface DeletedRows {
  count: number;
  /** What is to be done once that has been committed: files that nothing names any more. */
  after?: (() => Promise<void>) | undefined;
}

/** Rows a transaction: other writers never wait long for its locks. */
export const maxAtOnce = 1_000;

/** So many days ago. */
export const daysBefore = (now: Date, days: number): Date => new Date(now.getTime() - days * day);
