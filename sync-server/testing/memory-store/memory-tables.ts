import { must } from '../../../shared/lib/must.ts';
import { privateTableNames, tables, type PrivateTableName, type TableName } from '../../../shared/tables/index.ts';
import {
  collectionColumns,
  collectionOfTable,
  collections,
  type CollectionDefinition,
} from '../../../shared/tables/collections.ts';
import type { AudiencePath, TableDefinition } from '../../../shared/tables/define-table.ts';

/** A record of any table: synced ones as shared rows have them, the engine's own under their column names. */
export type Row = Record<string, unknown>;
export type Table = ReadonlyMap<string, Row>;
/** Everything committed, at one version. Never changed in place. */
export type Committed = ReadonlyMap<string, Table>;

export const syncedTables = Object.keys(tables) as TableName[];
export const ownTables = [
  'sync_change',
  'sync_access',
  'sync_mutation',
  'sync_attempt',
  'sync_parked',
  'sync_meta',
  'sync_timeline',
  'sync_sent_again',
  'shelf_manifest',
  'shelf_segment',
  'effect',
] as const;

export interface ChangeLine extends Row {
  entity: TableName;
  entity_id: string;
  audience: string[];
  shelf: string | null;
  shelf_version: number | null;
  shelf_region: string | null;
  shelf_left: readonly string[] | null;
  version: number;
  deleted: boolean;
  changed_at: Date;
}

/** A person who began or ceased to see a row that did not change itself. */
export interface AccessLine extends Row {
  entity: TableName;
  entity_id: string;
  person: string;
  version: number;
}

/** What one transaction sees of a table: the committed rows, under its own writes. */
export interface View {
  get(table: string, key: string): Row | undefined;
  all(table: string): Row[];
}

const definitionOf = (table: TableName) => tables[table] as unknown as TableDefinition<string, { id: string }>;
const pathsOf = (table: TableName): readonly AudiencePath[] => definitionOf(table).audience;

/** All people in whose audience this row is, in this view. */
export function audienceIn(view: View, table: TableName, row: Row): string[] {
  const people = pathsOf(table).flatMap((path) => {
    if (!('through' in path)) return [row[path.column]];
    return view
      .all(path.through)
      .filter((link) => link[path.match] === row['id'])
      .map((link) => link[path.column]);
  });
  return [...new Set(people.filter((person): person is string => typeof person === 'string'))];
}

export function maskedFor(userId: string, table: TableName, row: Row): Row {
  const masked = { ...row };
  for (const [column, owner] of Object.entries(definitionOf(table).onlyFor))
    if (row[String(owner)] !== userId) masked[column] = null;
  return masked;
}

export function isInCollection(table: TableName, row: Row): boolean {
  const collection = collectionOfTable(table);
  return (
    collection !== undefined &&
    Object.entries(collections[collection].where).every(([column, value]) => row[column] === value)
  );
}

const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

function isShownChange(table: TableName, was: Row, is: Row): boolean {
  const collection = collectionOfTable(table);
  if (collection === undefined) return false;
  return [...new Set([...collectionColumns(collection), ...Object.keys(collections[collection].where)])].some(
    (column) => !same(was[column], is[column]),
  );
}

/** The region of a row whose collection is cut by regions, '' where its town is not known; null in any other. */
export function regionIn(view: View, table: TableName, row: Row): string | null {
  const town = townColumnOf(table);
  if (town === undefined) return null;
  return (view.get('reference', String(row[town]))?.['region'] as string | null | undefined) ?? '';
}

function townColumnOf(table: TableName): string | undefined {
  const collection = collectionOfTable(table);
  return collection && (collections[collection] as CollectionDefinition).townColumn;
}

interface Touch {
  formerly: string[];
  stood: boolean;
  shown: boolean;
  /** It has changed itself, and not only who gets it. */
  own: boolean;
}

/**
 * The commit triggers of db/sync-triggers.ts, implemented anew: which rows of `sync_change` and `sync_access` a
 * transaction writes.
 * Independent of them on purpose: the same seeds run over the real ones too, and must give the same result.
 */
export function changesOf(
  before: View,
  after: View,
  wrote: readonly { table: string; key: string }[],
  version: number,
  now: Date,
): { changes: ChangeLine[]; accesses: AccessLine[] } {
  const touched = new Map<string, { table: TableName; id: string } & Touch>();
  const touch = (table: TableName, id: unknown, { formerly, stood, shown, own }: Touch) => {
    if (typeof id !== 'string') return;
    const key = `${table}/${id}`;
    const known = touched.get(key);
    touched.set(key, {
      table,
      id,
      formerly: [...(known?.formerly ?? []), ...formerly],
      stood: stood || known?.stood === true,
      shown: shown || known?.shown === true,
      own: own || known?.own === true,
    });
  };
  const aged = new Set<string>();
  const hanging = (table: TableName) =>
    privateTableNames.flatMap((target) =>
      pathsOf(target).flatMap((path) => ('through' in path && path.through === table ? [{ ...path, target }] : [])),
    );
  const ownPeople = (table: TableName, row: Row) =>
    pathsOf(table)
      .flatMap((path) => ('through' in path ? [] : [row[path.column]]))
      .filter((person) => typeof person === 'string');

  for (const { table: name, key } of wrote) {
    if (!(syncedTables as string[]).includes(name)) continue;
    const table = name as TableName;
    const [was, is] = [before.get(table, key), after.get(table, key)];
    if (was === undefined && is === undefined) continue;
    if (was !== undefined && is !== undefined && same(was, is)) continue;
    const formerly = was === undefined ? [] : ownPeople(table, was);
    const shown = was === undefined || is === undefined || isShownChange(table, was, is);
    touch(table, key, { formerly, stood: was !== undefined && isInCollection(table, was), shown, own: true });
    if (was !== undefined && is !== undefined && was['createdAt'] !== is['createdAt']) aged.add(`${table}/${key}`);
    if (table === 'reference' && (was?.['region'] ?? null) !== (is?.['region'] ?? null))
      for (const target of privateTableNames) {
        const town = townColumnOf(target);
        for (const row of town === undefined ? [] : after.all(target))
          if (row[town!] === key && isInCollection(target, row))
            touch(target, row['id'], { formerly: [], stood: true, shown: true, own: true });
      }
    for (const { target, match, column } of hanging(table)) {
      for (const row of [was, is]) {
        if (row === undefined) continue;
        if (was !== undefined && is !== undefined && was[match] === is[match] && was[column] === is[column]) continue;
        touch(target, row[match], {
          formerly: typeof row[column] === 'string' ? [row[column]] : [],
          stood: false,
          shown: false,
          own: false,
        });
      }
    }
  }
  const told = before.all('sync_access') as AccessLine[];
  const accesses = [...touched.values()].flatMap(({ table, id, formerly, own }): AccessLine[] =>
    own ? [] : [...new Set(formerly)].map((person) => ({ entity: table, entity_id: id, person, version })),
  );
  const changed = [...touched.values()].filter(({ own }) => own);
  const changes = changed.map(({ table, id, formerly, stood, shown }): ChangeLine => {
    const present = after.get(table, id);
    const old = before.get('sync_change', `${table}/${id}`) as ChangeLine | undefined;
    // Who still holds a row that has gone.
    const holders = told.filter((line) => line.entity === table && line.entity_id === id).map(({ person }) => person);
    const people = [...formerly, ...(present === undefined ? holders : audienceIn(after, table, present))];
    const inCollection = stood || (present !== undefined && isInCollection(table, present));
    const place = inCollection && shown && present !== undefined ? regionIn(after, table, present) : null;
    const region = place ?? old?.shelf_region ?? null;
    return {
      entity: table,
      entity_id: id,
      audience: [...new Set([...(old?.audience ?? []), ...people])],
      shelf: inCollection ? (collectionOfTable(table) ?? null) : (old?.shelf ?? null),
      shelf_version: inCollection && shown ? version : (old?.shelf_version ?? null),
      shelf_region: region,
      shelf_left: leftBy(old, region, aged.has(`${table}/${id}`)),
      version,
      deleted: present === undefined,
      changed_at: now,
    };
  });
  return { changes, accesses };
}

/** The regions in which a row has left a place: it moved, or its age is another. */
function leftBy(old: ChangeLine | undefined, region: string | null, isAged: boolean): readonly string[] | null {
  const known = old?.shelf_left ?? null;
  const formerly = old?.shelf_region ?? null;
  if (formerly === null || (region === formerly && !isAged)) return known;
  return [...new Set([...(known ?? []), formerly])];
}

/** The private rows of this person in this view, as they may see them: the oracle. */
export function privateRowsIn(view: View, userId: string): Record<PrivateTableName, Row[]> {
  const byId = (one: Row, other: Row) => (String(one['id']) < String(other['id']) ? -1 : 1);
  return Object.fromEntries(
    privateTableNames.map((table) => {
      const mine = view.all(table).filter((row) => audienceIn(view, table, row).includes(userId));
      return [table, mine.map((row) => maskedFor(userId, table, row)).toSorted(byId)];
    }),
  ) as Record<PrivateTableName, Row[]>;
}

export function viewOfCommitted(committed: Committed): View {
  const tableOf = (name: string) => must(committed.get(name), `table ${name}`);
  return { get: (table, key) => tableOf(table).get(key), all: (table) => [...tableOf(table).values()] };
}
