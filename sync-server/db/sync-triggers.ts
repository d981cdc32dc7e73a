import { createHash } from 'node:crypto';
import type { TableName } from '../../shared/tables/index.ts';
import { collectionOfTable } from '../../shared/tables/collections.ts';
import { advisoryLocks } from './advisory-locks.ts';
import {
  allTables as all,
  audienceSql,
  idType,
  ownColumns,
  peopleSql,
  throughPaths,
  touchedBy,
} from './audience-sql.ts';
import { leftSql, quoted, regionSql, shownChangeSql, standsSql, townColumnOf } from './collection-conditions.ts';
import { timelineStatements } from './timeline-functions.ts';

/** The channel on which every commit notifies its version. */
export const syncChannel = 'sync';

const common: readonly string[] = [
  // The functions are not in `public`, where a hosted project would offer them as calls.
  `create schema if not exists sync`,
  ...timelineStatements(syncChannel),
  // The setting ends with the transaction, and goes back with a savepoint together with the lock and the notice.
  `create or replace function sync.version_of_this_commit() returns bigint language plpgsql as $$
   declare drawn text := current_setting('dwang.sync_version', true);
   begin
     if drawn is null or drawn = '' then
       perform sync.begin_timeline_where_moved();
       perform pg_advisory_xact_lock(${advisoryLocks.commit});
       drawn := nextval('public.sync_version')::text;
       perform set_config('dwang.sync_version', drawn, true);
       perform pg_notify(${quoted(syncChannel)}, drawn);
     end if;
     return drawn::bigint;
   end $$`,
  // A row that a statement touched, and a person who got it before, or who gets it or no longer does. `stood`: it was
  // in its collection before; `shown`: it changed in the collection's columns, and not only for its own people; `aged`:
  // it has another age than before; `own`: it has changed itself, and not only who gets it.
  `do $$ begin
     create type sync.touch as (id text, person uuid, stood boolean, shown boolean, aged boolean);
   exception when duplicate_object then null;
   end $$`,
  `do $$ begin
     alter type sync.touch add attribute own boolean;
   exception when duplicate_column then null;
   end $$`,
  `create or replace function sync.refuse_truncate() returns trigger language plpgsql as $$
   begin
     raise exception 'TRUNCATE would go unseen by devices: use DELETE on %', tg_table_name using errcode = '0A000';
   end $$`,
];

/** Where a transaction's statements note what they touched; it goes back with a savepoint, and ends with COMMIT. */
const noted = (table: TableName) => `dwang.touched_${table}`;
/** On where any of them noted something. */
const isNoted = 'dwang.touched';
/** On where rows came to be committed before their statement had noted them: constraints are immediate then. */
const atOnce = 'dwang.at_once';
const setting = (name: string) => `coalesce(current_setting('${name}', true), '')`;

/**
 * Records that rows changed: for whom, and whether they are still there. Reads the rows as the transaction leaves them.
 */
function recordFunction(table: TableName): string {
  const collection = collectionOfTable(table);
  const town = townColumnOf(table);
  // Not for a change that is not shown: an interest costs no look at the town.
  const region =
    town === undefined
      ? 'null'
      : `case when onto.shelf and touch.shown and present.id is not null then ${regionSql('present', town)} end`;
  // Who still holds a row that has gone.
  const told =
    throughPaths(table).length === 0
      ? ''
      : ` || case when present.id is null then array(select access.person from public.sync_access access
         where access.entity = ${quoted(table)} and access.entity_id = touch.id) end`;
  return `create or replace function sync.record_${table}(touched sync.touch[]) returns void language plpgsql as $$
   declare
     -- Under the commit lock, before the statement below: so that it sees everything that was committed before.
     at_version bigint := coalesce(nullif(current_setting('dwang.sync_version', true), '')::bigint, sync.version_of_this_commit());
   begin
     insert into public.sync_change as change (entity, entity_id, audience, shelf, shelf_version, shelf_region, version, deleted, changed_at)
     select ${quoted(table)}, touch.id, ${peopleSql(`touch.formerly || ${audienceSql(table, 'present')}${told}`)},
       ${collection === undefined ? 'null, null' : `case when onto.shelf then ${quoted(collection)} end, case when onto.shelf and touch.shown then at_version end`},
       ${region}, at_version, present.id is null, now()
     from (select id, array_agg(distinct person) as formerly, bool_or(stood) as stood, bool_or(shown) as shown
         from unnest(touched) where id is not null group by id having bool_or(own)) touch
       -- OFFSET keeps the planner, which does not know how few there are, from reading the whole table.
       left join lateral (select * from public.${table} t where t.id = touch.id::${idType(table)} offset 0) present on true,
       lateral (select touch.stood or coalesce(${standsSql(table, 'present')}, false) as shelf) onto
     on conflict (entity, entity_id) do update set
       audience = ${peopleSql('change.audience || excluded.audience')},
       shelf = coalesce(excluded.shelf, change.shelf),
       shelf_version = coalesce(excluded.shelf_version, change.shelf_version),
       shelf_region = coalesce(excluded.shelf_region, change.shelf_region),
       shelf_left = case when excluded.shelf_region <> change.shelf_region then ${leftSql('change.shelf_region')} else change.shelf_left end,
       version = excluded.version,
       deleted = excluded.deleted,
       changed_at = excluded.changed_at
     where change.version <> excluded.version or change.deleted <> excluded.deleted
       or not change.audience @> excluded.audience or (change.shelf is null and excluded.shelf is not null)
       or change.shelf_version < excluded.shelf_version or (change.shelf_version is null and excluded.shelf_version is not null);
     ${accessSql(table)}
     ${agedSql(table)}
     ${townsMovedSql(table)}
   end $$`;
}

/**
 * A row that has not changed itself is told to each person who begins or ceases to see it, and to none of its others: a
 * tradie's next interest is no news of their profile to all whose jobs they have answered.
 */
function accessSql(table: TableName): string {
  if (throughPaths(table).length === 0) return '';
  return `insert into public.sync_access as access (entity, entity_id, person, version)
     select ${quoted(table)}, touch.id, touch.person, at_version from unnest(touched) touch
     where touch.id is not null and touch.person is not null
     group by touch.id, touch.person
     having touch.id <> all(array(select id from unnest(touched) where own and id is not null))
     on conflict (entity, entity_id, person) do update set version = excluded.version where access.version <> excluded.version;`;
}

/** A row of another age has left a place in its own region: segments hold rows by age. */
function agedSql(table: TableName): string {
  if (townColumnOf(table) === undefined) return '';
  return `update public.sync_change change set shelf_left = ${leftSql('change.shelf_region')}
     where entity = ${quoted(table)} and entity_id = any(array(select id from unnest(touched) where aged));`;
}

/** A town that is in another region takes along what is in it, also what was committed since its statement ran. */
function townsMovedSql(table: TableName): string {
  if (table !== 'reference') return '';
  return all
    .flatMap((target) => {
      const town = townColumnOf(target);
      if (town === undefined) return [];
      return [
        `perform sync.record_${target}(array(select row(row.id::text, null, true, true, false, true)::sync.touch
       from public.${target} row join public.sync_change change on change.entity = ${quoted(target)} and change.entity_id = row.id::text
       where row.${town} = any(array(select id from unnest(touched) where shown)) and ${standsSql(target, 'row')}
         and change.shelf_region is distinct from ${regionSql('row', town)}));`,
      ];
    })
    .join('\n');
}

const events = ['insert', 'update', 'delete'] as const;
type Event = (typeof events)[number];
const transitions: Readonly<Record<Event, string>> = {
  insert: 'new table as added',
  update: 'old table as gone new table as added',
  delete: 'old table as gone',
};

/** What a statement touched, by table, as queries of rows of `sync.touch`; from its rows before and after it. */
function touchesOf(table: TableName, event: Event): Map<TableName, string[]> {
  const own = ownColumns(table);
  const found = new Map<TableName, string[]>([[table, []]]);
  const add = (target: TableName, query: string) => found.set(target, [...(found.get(target) ?? []), query]);
  const touch = (...[id, person, stood, shown, aged, own]: string[]) =>
    `select row(${[id, person, stood, shown, aged, own].join(', ')})::sync.touch as touch`;
  // A row whose id changed goes under the one and comes under the other.
  const from = {
    insert: 'from added latter',
    update: 'from gone former full join added latter on latter.id = former.id where latter is distinct from former',
    delete: 'from gone former',
  }[event];
  const before = own.length === 0 ? ['null::uuid'] : own.map((column) => `former.${column}`);
  if (event === 'insert') add(table, `${touch('latter.id::text', 'null', 'false', 'true', 'false', 'true')} ${from}`);
  else {
    const shown = event === 'delete' ? 'true' : `latter.id is null or former.id is null or ${shownChangeSql(table)}`;
    const id = event === 'delete' ? 'former.id' : 'coalesce(former.id, latter.id)';
    const isCut = event === 'update' && townColumnOf(table) !== undefined;
    const aged = isCut ? 'coalesce(latter.created_at <> former.created_at, false)' : 'false';
    for (const person of before)
      add(
        table,
        `${touch(`${id}::text`, person, `coalesce(${standsSql(table, 'former')}, false)`, shown, aged, 'true')} ${from}`,
      );
  }
  for (const { target, match, column } of touchedBy(table)) {
    const through = (row: string) =>
      `${touch(`${row}.${match}::text`, `${row}.${column}`, 'false', 'false', 'false', 'false')} ${from}`;
    const [was, is] = [through('former'), through('latter')];
    const moved = `and (latter.${match}, latter.${column}) is distinct from (former.${match}, former.${column})`;
    if (event === 'insert') add(target, is);
    else if (event === 'delete') add(target, was);
    else add(target, `${was} ${moved} union all ${is} ${moved}`);
  }
  return found;
}

/** Runs after each statement: notes what it touched. */
function noteFunction(table: TableName, event: Event): string {
  const notes = [...touchesOf(table, event)].map(
    ([target, queries]) => `
     touched := array(${queries.join(' union all ')});
     if touched <> '{}' then
       perform set_config('${noted(target)}', concat(${setting(noted(target))}, touched::text, chr(10)), true);
       perform set_config('${isNoted}', 'on', true);
     end if;`,
  );
  return `create or replace function sync.note_${table}_${event}() returns trigger language plpgsql as $$
   declare touched sync.touch[];
   begin
     ${notes.join('')}
     if ${setting(atOnce)} = 'on' then perform sync.record_noted(); end if;
     return null;
   end $$`;
}

/** Records what was noted since it last ran, each row once. */
const recordNoted = `create or replace function sync.record_noted() returns void language plpgsql
   -- By itself PostgreSQL plans anew for each array, which takes longer than recording a few rows.
   set plan_cache_mode = force_generic_plan as $$
   declare notes text;
   begin
     if ${setting(isNoted)} = '' then return; end if;
     perform set_config('${isNoted}', '', true);
     ${all
       .map(
         (table) => `notes := ${setting(noted(table))};
     if notes <> '' then
       perform set_config('${noted(table)}', '', true);
       perform sync.record_${table}(array(select touch from string_to_table(rtrim(notes, chr(10)), chr(10)) note, unnest(note::sync.touch[]) touch));
     end if;`,
       )
       .join('\n     ')}
   end $$`;

/** Runs at COMMIT for each row that was written: the first of them records all that the transaction noted. */
const commitFunction = `create or replace function sync.commit_noted() returns trigger language plpgsql as $$
   begin
     if ${setting(isNoted)} = 'on' then perform sync.record_noted();
     elsif ${setting(atOnce)} = '' then perform set_config('${atOnce}', 'on', true);
     end if;
     return null;
   end $$`;

function triggersOf(table: TableName): string[] {
  return [
    ...events.flatMap((event) => [
      noteFunction(table, event),
      `create or replace trigger sync_${event} after ${event} on public.${table}
       referencing ${transitions[event]} for each statement execute function sync.note_${table}_${event}()`,
    ]),
    `drop trigger if exists sync_changed on public.${table}`,
    `create constraint trigger sync_changed after insert or update or delete on public.${table}
       deferrable initially deferred for each row execute function sync.commit_noted()`,
    `drop trigger if exists sync_no_truncate on public.${table}`,
    `create trigger sync_no_truncate before truncate on public.${table} for each statement execute function sync.refuse_truncate()`,
  ];
}

/**
 * Rows from before the triggers, and rows whose audience a new path widened, get their change row; so do those that
 * moved to another region under triggers of before.
 */
function catchUp(table: TableName): string {
  const town = townColumnOf(table);
  const hasMoved =
    town === undefined
      ? ''
      : `or (${standsSql(table, 'row')} and change.shelf_region is distinct from ${regionSql('row', town)})`;
  return `select sync.record_${table}(missed) from (
    select array_agg(row(row.id::text, null, false, true, false, true)::sync.touch) as missed from public.${table} row
    left join public.sync_change change on change.entity = ${quoted(table)} and change.entity_id = row.id::text
    where change.entity is null or change.deleted
      or not (change.audience || array(select access.person from public.sync_access access
        where access.entity = ${quoted(table)} and access.entity_id = row.id::text)) @> ${peopleSql(audienceSql(table, 'row'))}
      or (change.shelf is null and ${standsSql(table, 'row')}) ${hasMoved}) rows where missed is not null`;
}

/** What an earlier version of this code made. */
const former = all.flatMap((table) => [
  `drop function if exists sync.commit_${table}()`,
  `drop function if exists sync.touch_${table}(${idType(table)}, uuid[], boolean, boolean)`,
]);

/**
 * The statements that make every commit record what it changed. Each statement notes which rows it touched, once for
 * all of them; at COMMIT a deferred constraint trigger draws one version for the transaction, under a lock, after all
 * its row locks are held, and records each row that was touched, once. Generated from the audience paths and
 * collections in shared/tables; each may be run again at any time.
 *
 * What is noted is some hundred bytes a row, in memory: of several million rows PostgreSQL refuses to keep it, and they
 * have to be written in parts.
 */
export function syncTriggerStatements(): string[] {
  return [
    ...common,
    ...all.map(recordFunction),
    recordNoted,
    commitFunction,
    ...all.flatMap(triggersOf),
    ...former,
    ...all.map(catchUp),
  ];
}

/** Names a state of the generated statements. */
export function syncTriggersHash(): string {
  return createHash('sha256').update(syncTriggerStatements().join(';\n')).digest('hex');
}
