import { advisoryLocks } from './advisory-locks.ts';
import { databaseIdentityStatement, isOfOtherDatabaseText } from './database-identity.ts';

/**
 * How a timeline of the database begins (S5). Its versions begin above all that any earlier timeline can have drawn, at
 * the microseconds of the clock: a phone that keeps a version without its timeline (an older app, signed out) then
 * takes what is new for newer, and what it has for too old. The point, up to which the new timeline has the one before
 * it, is the head unless it is given.
 */
export const timelineStatements = (channel: string): readonly string[] => [
  databaseIdentityStatement,
  `create or replace function sync.begin_timeline(known bigint default null) returns uuid language plpgsql as $$
   declare
     former public.sync_meta;
     head bigint;
     began bigint;
     begun uuid := gen_random_uuid();
   begin
     -- A commit under way would otherwise draw from before and end after.
     perform pg_advisory_xact_lock(${advisoryLocks.commit});
     select * into strict former from public.sync_meta for update;
     select greatest(former.tombstone_floor, max(version)) into head from public.sync_change;
     began := setval('public.sync_version', greatest(nextval('public.sync_version'), former.later_version + 1, (extract(epoch from clock_timestamp()) * 1000000)::bigint));
     update public.sync_meta set lineage = begun, later_version = null, tombstone_floor = greatest(tombstone_floor, began),
       life = case when life is null then null else coalesce(sync.database_life(), life) end;
     insert into public.sync_timeline (lineage, previous, point, first, began_at)
     values (begun, former.lineage, least(coalesce(known, head), head), began, clock_timestamp());
     perform pg_notify('${channel}', '');
     return begun;
   end $$`,
  // The first commit in a database that was promoted or moved begins the timeline, before it draws: of several, one
  // does.
  `create or replace function sync.begin_timeline_where_moved() returns void language plpgsql as $$
   begin
     if not exists (select from public.sync_meta where ${isOfOtherDatabaseText('sync_meta')}) then return; end if;
     perform pg_advisory_xact_lock(${advisoryLocks.commit});
     if exists (select from public.sync_meta where ${isOfOtherDatabaseText('sync_meta')}) then perform sync.begin_timeline(); end if;
   end $$`,
];
