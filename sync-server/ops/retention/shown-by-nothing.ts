import { sql as rawSql } from 'kysely';

/** Days. A phone may have uploaded a file and lost its signal before it could say what for; it says so for 180 days at most (S6). */
export const orphanDays = 180;

export const orphansSay = 'photos and logos that nothing shows, 180 days after they were uploaded';

/**
 * Of a file `o` (bucket_id, name, owner_id) in a query: no job of its owner's has it among its photos, no profile has it as its logo. Of
 * a photo without an owner: no job at all. The one rule for what may be deleted, embedded or hosted.
 */
export const isShownByNothing = rawSql`
  not exists (select 1 from jobs j where o.bucket_id = 'job-photos' and j.user_id = o.owner_id and 'job-photos/' || o.name = any(j.images))
  and not (o.bucket_id = 'job-photos' and o.owner_id is null and exists (select 1 from jobs j where 'job-photos/' || o.name = any(j.images)))
  and not exists (select 1 from tradies t where o.bucket_id = 'tradie-logos' and t.logo = 'tradie-logos/' || o.name)`;
