import { createHash } from 'node:crypto';
import { type AudiencePath, type TableDefinition } from '../../shared/tables/define-table.ts';
import { tables, type TableName } from '../../shared/tables/index.ts';
import {
  collectionColumns,
  collectionOfTable,
  collections,
  type CollectionDefinition,
} from '../../shared/tables/collections.ts';
import { columnName } from './column-name.ts';
import { advisoryLocks } from './advisory-locks.ts';
import { timelineStatements } from './timeline-functions.ts';

/** The channel on which every commit notifies its version. */
export const SYNC_CHANNEL = 'sync';

type AnyTable = TableDefinition<string, { id: string }>;
interface Path {
  table: TableName;
  match: string;
  column: string;
}

const all = Object.keys(tables) as TableName[];
const audienceOf = (table: TableName): readonly AudiencePath[] => (tables[table] as unknown as AnyTable).audience;
const idType = (table: TableName) => (table === 'reference' ? 'text' : 'uuid');
const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;

/** Columns of the row itself that name a person who gets it. */
const ownColumns = (table: TableName) =>
  audienceOf(table).flatMap((path) => ('through' in path ? [] : [columnName(path.column)]));

/** The tables whose rows decide who gets rows of `table`. */
function throughPaths(table: TableName): Path[] {
  return audienceOf(table).flatMap((path) => {
    if (!('through' in path)) return [];
    return [{ table: path.through as TableName, match: columnName(path.match), column: columnName(path.column) }];
  });
}

/** Rows of other tables whose audience depends on rows of `table`. */
const touchedBy = (table: TableName) =>
  all.flatMap((target) =>
    throughPaths(target)
      .filter((path) => path.table === table)
      .map((path) => ({ ...path, target })),
  );

/** Is the row in the variable in its table's collection? */
function standsSql(table: TableName, row: string): string {
  const collection = collectionOfTable(table);
  if (collection === undefined) return 'false';
  const conditions = Object.entries(collections[collection].where).map(
    ([column, value]) => `${row}.${columnName(column)} = ${quoted(value)}`,
  );
  return conditions.length === 0 ? 'true' : conditions.join(' and ');
}

/**
 * Did the row change in the columns of its collection? A change that only its own people see must not poke every
 * reader.
 */
function shownChangeSql(table: TableName): string {
  const collection = collectionOfTable(table);
  if (collection === undefined) return 'false';
  const columns = [...new Set([...collectionColumns(collection), ...Object.keys(collections[collection].where)])].map(
    columnName,
  );
  return `(${columns.map((column) => `new.${column}`).join(', ')}) is distinct from (${columns.map((column) => `old.${column}`).join(', ')})`;
}

/** The column with the town of a row whose collection is cut by regions. */
function townColumnOf(table: TableName): string | undefined {
  const collection = collectionOfTable(table);
  const town = collection && (collections[collection] as CollectionDefinition).townColumn;
  return town && columnName(town);
}

/** The region of the row in the variable; '' where it is not known. */
const regionSql = (row: string, town: string) =>
  `coalesce((select town.region from public.reference town where town.id = ${row}.${town}), '')`;

/** Adds a region to those in which the row has left a place. */
const leftSql = (region: string) =>
  `case when ${region} = any(change.shelf_left) then change.shelf_left else array_append(change.shelf_left, ${region}) end`;

const ownPeopleSql = (table: TableName, row: string) =>
  `array[${ownColumns(table)
    .map((column) => `${row}.${column}`)
    .join(', ')}]::uuid[]`;

/**
 * Each person once, in one order. Written out in every statement: a function of its own would cost more than the row's
 * insert.
 */
const peopleSql = (among: string) =>
  `array(select distinct person from unnest(${among}) person where person is not null order by person)`;

/** The people who get the row now, as an array that may hold nulls and repeats. */
function audienceSql(table: TableName, row: string): string {
  const through = throughPaths(table).map(
    (path) => `array(select t.${path.column} from public.${path.table} t where t.${path.match} = ${row}.id)`,
  );
  return [ownPeopleSql(table, row), ...through].join(' || ');
}

const common: readonly string[] = [
  // The functions are not in `public`, where a hosted project would offer them as calls.
  `create schema if not exists sync`,
  ...timelineStatements(SYNC_CHANNEL),
  // The setting ends with the transaction, and goes back with a savepoint together with the lock and the notice.
  `create or replace function sync.version_of_this_commit() returns bigint language plpgsql as $$
   declare drawn text := current_setting('dwang.sync_version', true);
   begin
     if drawn is null or drawn = '' then
       perform sync.begin_timeline_where_moved();
       perform pg_advisory_xact_lock(${advisoryLocks.commit});
       drawn := nextval('public.sync_version')::text;
       perform set_config('dwang.sync_version', drawn, true);
       perform pg_notify(${quoted(SYNC_CHANNEL)}, drawn);
     end if;
     return drawn::bigint;
   end $$`,
  `create or replace function sync.refuse_truncate() returns trigger language plpgsql as $$
   begin
     raise exception 'TRUNCATE would go unseen by devices: use DELETE on %', tg_table_name using errcode = '0A000';
   end $$`,
];

/**
 * Records that a row changed: for whom, and whether it is still there. Reads the row as the transaction leaves it.
 * `stood`: it was in its collection before; `shown`: it changed in the collection's columns, and not only for its own
 * people.
 */
function touchFunction(table: TableName): string {
  const collection = collectionOfTable(table);
  const town = townColumnOf(table);
  // Not for a change that is not shown: an interest costs no look at the town.
  const region =
    town === undefined
      ? 'null'
      : `case when onto.shelf and shown and present.id is not null then ${regionSql('present', town)} end`;
  return `create or replace function sync.touch_${table}(touched ${idType(table)}, formerly uuid[], stood boolean, shown boolean) returns void language plpgsql as $$
   declare
     -- Under the commit lock, before the statement below: so that it sees everything that was committed before.
     at_version bigint := coalesce(nullif(current_setting('dwang.sync_version', true), '')::bigint, sync.version_of_this_commit());
   begin
     insert into public.sync_change as change (entity, entity_id, audience, shelf, shelf_version, shelf_region, version, deleted, changed_at)
     select ${quoted(table)}, touched::text, ${peopleSql(`formerly || ${audienceSql(table, 'present')}`)},
       ${collection === undefined ? 'null, null' : `case when onto.shelf then ${quoted(collection)} end, case when onto.shelf and shown then at_version end`},
       ${region}, at_version, present.id is null, now()
     from (values (touched)) wanted (id) left join public.${table} present on present.id = wanted.id,
       lateral (select stood or coalesce(${standsSql(table, 'present')}, false) as shelf) onto
     where touched is not null
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
   end $$`;
}

/** A town that is in another region takes along what is in it. */
function townMovedSql(table: TableName, town: string, condition: string): string {
  if (table !== 'reference') return '';
  return all
    .flatMap((target) => {
      const column = townColumnOf(target);
      if (column === undefined) return [];
      return [
        `if ${condition} then
         perform sync.touch_${target}(row.id, '{}', true, true) from public.${target} row where row.${column} = ${town}.id and ${standsSql(target, 'row')};
       end if;`,
      ];
    })
    .join('\n');
}

/** Runs at COMMIT for each row that was written. */
function commitFunction(table: TableName): string {
  const touches = touchedBy(table);
  const touch = (row: string) =>
    touches
      .map(
        (path) =>
          `perform sync.touch_${path.target}(${row}.${path.match}, array[${row}.${path.column}]::uuid[], false, false);`,
      )
      .join('\n');
  const moved = touches
    .map(
      (path) => `
       if (new.${path.match}, new.${path.column}) is distinct from (old.${path.match}, old.${path.column}) then
         perform sync.touch_${path.target}(old.${path.match}, array[old.${path.column}]::uuid[], false, false);
         perform sync.touch_${path.target}(new.${path.match}, '{}', false, false);
       end if;`,
    )
    .join('');
  const town = townColumnOf(table);
  const aged =
    town === undefined
      ? ''
      : `if new.created_at <> old.created_at then
         update public.sync_change change set shelf_left = ${leftSql('change.shelf_region')} where entity = ${quoted(table)} and entity_id = new.id::text;
       end if;`;
  return `create or replace function sync.commit_${table}() returns trigger language plpgsql as $$
   begin
     if tg_op = 'INSERT' then
       perform sync.touch_${table}(new.id, '{}', false, true);
       ${touch('new')}
       ${townMovedSql(table, 'new', 'new.region is not null')}
     elsif tg_op = 'DELETE' then
       perform sync.touch_${table}(old.id, ${ownPeopleSql(table, 'old')}, ${standsSql(table, 'old')}, true);
       ${touch('old')}
       ${townMovedSql(table, 'old', 'old.region is not null')}
     elsif new is distinct from old then
       perform sync.touch_${table}(old.id, ${ownPeopleSql(table, 'old')}, ${standsSql(table, 'old')}, ${shownChangeSql(table)});
       if new.id <> old.id then perform sync.touch_${table}(new.id, '{}', false, true); end if;
       ${moved}
       ${aged}
       ${townMovedSql(table, 'new', 'new.region is distinct from old.region')}
     end if;
     return null;
   end $$`;
}

function triggersOf(table: TableName): string[] {
  return [
    commitFunction(table),
    `drop trigger if exists sync_changed on public.${table}`,
    `create constraint trigger sync_changed after insert or update or delete on public.${table}
       deferrable initially deferred for each row execute function sync.commit_${table}()`,
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
  return `select sync.touch_${table}(row.id, '{}', false, true) from public.${table} row
    left join public.sync_change change on change.entity = ${quoted(table)} and change.entity_id = row.id::text
    where change.entity is null or change.deleted
      or not change.audience @> ${peopleSql(audienceSql(table, 'row'))}
      or (change.shelf is null and ${standsSql(table, 'row')}) ${hasMoved}`;
}

/**
 * The statements that make every commit record what it changed: for each synced table a deferred constraint trigger
 * that draws one version for the transaction, under a lock, after all its row locks are held. Generated from the
 * audience paths and collections in shared/tables; each may be run again at any time.
 */
export function syncTriggerStatements(): string[] {
  return [...common, ...all.map(touchFunction), ...all.flatMap(triggersOf), ...all.map(catchUp)];
}

/** Names a state of the generated statements. */
export function syncTriggersHash(): string {
  return createHash('sha256').update(syncTriggerStatements().join(';\n')).digest('hex');
}
