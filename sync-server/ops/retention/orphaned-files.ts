import { type ExpressionBuilder, sql as rawSql } from 'kysely';
import type { Schema } from '../../db/schema.ts';

/**
 * Days. A phone may have uploaded a file and lost its signal before it could say what for; it says so for 180 days at
 * most (S6).
 */
export const orphanDays = 180;

export const orphansDescription = 'photos and logos that nothing shows, 180 days after they were uploaded';

/** A file, embedded or hosted. */
export type FileColumns = Pick<Schema['embedded.objects'], 'bucket_id' | 'name' | 'owner_id'>;

/**
 * Of a file `o` in a query: no job of its owner's has it among its photos, no profile has it as its logo. Of a photo
 * without an owner: no job at all. The one rule for what may be deleted, embedded or hosted.
 */
export function isOrphaned(eb: ExpressionBuilder<Schema & { o: FileColumns }, 'o'>) {
  const { and, not, exists, fn } = eb;
  const ref = fn<string>('concat', ['o.bucket_id', rawSql.lit('/'), 'o.name']);
  const isPhoto = eb('o.bucket_id', '=', 'job-photos');
  const shownBy = eb
    .selectFrom('jobs as j')
    .select('j.id')
    .where((job) => job(ref, '=', job.fn.any('j.images')));
  const logoOf = eb.selectFrom('tradies as t').select('t.id').where('t.logo', '=', ref);
  return and([
    not(exists(shownBy.where(isPhoto).whereRef('j.user_id', '=', 'o.owner_id'))),
    not(and([isPhoto, eb('o.owner_id', 'is', null), exists(shownBy)])),
    not(and([eb('o.bucket_id', '=', 'tradie-logos'), exists(logoOf)])),
  ]);
}
