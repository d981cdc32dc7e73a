import { sql as rawSql, type RawBuilder } from 'kysely';

/**
 * Which PostgreSQL this is: the cluster, its timeline, the database in it; null where this user may not ask, and on a
 * standby. The timeline is that of the log being written: the control file names the previous one until the first
 * checkpoint after a promotion. It alone can change while a connection stays: the rest, for which PostgreSQL reads and
 * checks a file, is asked once a connection. Of the embedded database, which its copies share all of that with: which
 * files it lies in (`filesOf`).
 */
export const databaseIdentityStatement = `create or replace function sync.database_life() returns text language plpgsql stable as $$
   declare
     files text := current_setting('dwang.files', true);
     known text := current_setting('dwang.cluster', true);
   begin
     if files is not null then return nullif(files, ''); end if;
     if pg_is_in_recovery() then return null; end if;
     if coalesce(known, '') = '' then
       if not has_function_privilege('pg_control_system()', 'execute') then return null; end if;
       known := concat_ws(':', (select system_identifier from pg_control_system()), (select oid from pg_database where datname = current_database()));
       perform set_config('dwang.cluster', known, false);
     end if;
     return concat_ws(':', split_part(known, ':', 1), ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int, split_part(known, ':', 2));
   end $$`;

/**
 * Tells of a row `meta` of sync_meta that it was written in another PostgreSQL than this one. Never true of a database
 * in memory, which stores no identity.
 */
export const isOfOtherDatabaseText = (meta: string) =>
  `case when ${meta}.life is null then false else coalesce(${meta}.life <> sync.database_life(), false) end`;
export const isOfOtherDatabase: RawBuilder<boolean> = rawSql.raw(isOfOtherDatabaseText('meta'));
