import { sql, type RawBuilder } from 'kysely';

/**
 * Which PostgreSQL this is: the cluster, its timeline, the database in it; null where this user may not ask, and on a standby. The
 * timeline is that of the log being written: the control file names the previous one until the first checkpoint after a promotion.
 */
export const databaseLifeStatement = `create or replace function sync.database_life() returns text language plpgsql stable as $$
   begin
     if pg_is_in_recovery() or not has_function_privilege('pg_control_system()', 'execute') then return null; end if;
     return concat_ws(':', (select system_identifier from pg_control_system()),
       ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int, (select oid from pg_database where datname = current_database()));
   end $$`;

/**
 * Of a row `meta` of sync_meta: it was written in another PostgreSQL than this one. Never true of the embedded database, which stores no
 * identity.
 */
export const isOfOtherLifeText = (meta: string) =>
  `case when ${meta}.life is null then false else coalesce(${meta}.life <> sync.database_life(), false) end`;
export const isOfOtherLife: RawBuilder<boolean> = sql.raw(isOfOtherLifeText('meta'));
