import { inTurn } from '../../shared/lib/in-turn.ts';
import { copyRow } from '../../shared/lib/copy-row.ts';
import { Rejection } from '../../shared/mutations/rejection.ts';
import type { TableTx } from '../../shared/mutations/tx.ts';
import { privateTables, type PrivateTableName, type RowOf } from '../../shared/tables/index.ts';
import type { TableDefinition } from '../../shared/tables/define-table.ts';
import type { RowFilter, SyncTx } from '../store/sync-store.ts';

type UntypedRow = { id: string } & Record<string, unknown>;
interface Write {
  row: UntypedRow;
  isNew: boolean;
  changed: Set<string>;
}

export interface Staging {
  readonly store: SyncTx;
  readonly candidates: readonly string[];
  /** `category:builder` and the like. */
  readonly references: () => Promise<ReadonlySet<string>>;
}

export interface StagedTable {
  readonly name: PrivateTableName;
  readonly verbs: TableTx<UntypedRow>;
  /** Reads rows and holds them until the transaction ends. */
  lock(ids: readonly string[]): Promise<void>;
  /** Reads at once what inserts will ask: which ids are taken, and the rows under their unique keys. */
  prepare(): Promise<void>;
  keep(): void;
  discard(): void;
  flush(): Promise<void>;
  /** After every table was flushed: what was staged is what the database has. */
  settle(): void;
}

const keyOf = (columns: readonly string[], values: Readonly<Record<string, unknown>>) =>
  JSON.stringify(columns.map((column) => [column, values[column]]));

/** One table of an `OrmTx`: what the database has, under what was kept, under what the running mutation wrote. */
export function createStagedTable(name: PrivateTableName, { store, candidates, references }: Staging): StagedTable {
  const definition = privateTables[name] as unknown as TableDefinition<string, UntypedRow>;
  const stored = new Map<string, UntypedRow>();
  const absent = new Set<string>();
  const kept = new Map<string, Write>();
  const draft = new Map<string, Write>();
  const asked = new Set(candidates);
  const preparedKeys = new Set<string>();
  /**
   * Every row that has had these values here, by unique key. One that has others by now, or was discarded, is passed
   * over.
   */
  const index = new Map<string, Set<string>>();
  let idsPrepared = false;

  const standing = (id: string) => draft.get(id)?.row ?? kept.get(id)?.row ?? stored.get(id);

  /** Five hundred mutations that each read every row of the others would make a drain quadratic. */
  function addToIndex(row: UntypedRow): void {
    for (const columns of definition.unique) {
      const key = keyOf(columns.toSorted(), row);
      index.set(key, (index.get(key) ?? new Set()).add(row.id));
    }
  }

  async function read(where: Readonly<Record<string, readonly string[]>>): Promise<void> {
    for (const row of await store.lockRows(name, where as RowFilter<typeof name>)) {
      stored.set(row.id, row);
      addToIndex(row);
    }
  }

  async function lock(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    await read({ id: ids });
    for (const id of ids) if (!stored.has(id)) absent.add(id);
  }

  /** Which of the ids that may be read are unused: one query for 500 new rows. */
  async function prepareIds(): Promise<void> {
    idsPrepared = true;
    const taken = await store.existingIds(name, candidates);
    for (const id of candidates) if (!taken.has(id)) absent.add(id);
  }

  async function prepareKey(key: readonly string[]): Promise<void> {
    preparedKeys.add(key.join());
    await read(Object.fromEntries(key.map((column) => [column, candidates])));
  }

  const prepare = async () =>
    void (await inTurn(prepareIds(), ...definition.unique.map((columns) => prepareKey(columns.toSorted()))));

  async function get(asGiven: string): Promise<UntypedRow | undefined> {
    const id = asGiven.toLowerCase();
    const here = standing(id);
    if (here !== undefined) return here;
    if (!idsPrepared && asked.has(id) && !absent.has(id)) await prepareIds();
    if (!absent.has(id)) await lock([id]);
    return stored.get(id);
  }

  async function find(where: Partial<UntypedRow>): Promise<UntypedRow | undefined> {
    const key = Object.keys(where).toSorted();
    if (!definition.unique.some((columns) => columns.toSorted().join() === key.join()))
      throw new Error(`${name} has no unique key ${key.join()}`);
    const values = Object.values(where);
    const isPrepared = values.every((value) => typeof value === 'string' && asked.has(value));
    if (!isPrepared) {
      await read(
        Object.fromEntries(key.map((column) => [column, [where[column]].filter((value) => typeof value === 'string')])),
      );
    } else if (!preparedKeys.has(key.join())) {
      await prepareKey(key);
    }
    for (const id of index.get(keyOf(key, where)) ?? []) {
      const row = standing(id);
      if (row !== undefined && key.every((column) => row[column] === where[column])) return row;
    }
    return undefined;
  }

  /** Only the server has the whole list, so only it rejects a name that is not on it. */
  async function mustNameReferences(columns: Readonly<Record<string, unknown>>): Promise<void> {
    const fields: Record<string, string> = {};
    for (const [column, kind] of Object.entries(definition.references)) {
      const named = [columns[column] ?? []].flat() as string[];
      if (named.length === 0) continue;
      const known = await references();
      if (named.some((id) => !known.has(`${kind}:${id}`))) fields[column] = `Choose a ${kind} from the list.`;
    }
    if (Object.keys(fields).length > 0) throw new Rejection('invalid', Object.values(fields).join(' '), fields);
  }

  async function insert(asGiven: UntypedRow): Promise<void> {
    const row: UntypedRow = { ...asGiven, id: asGiven.id.toLowerCase() };
    if ((await get(row.id)) !== undefined)
      throw new Rejection('already-exists', 'Something with this id is already there.');
    for (const columns of definition.unique) {
      const key = Object.fromEntries(columns.map((column) => [column, row[column]]));
      if ((await find(key)) !== undefined) throw new Error(`${name} has a row with the same ${columns.join()} already`);
    }
    await mustNameReferences(row);
    stage(row, { isNew: true, changed: new Set() });
  }

  async function update(id: string, changes: Record<string, unknown>): Promise<void> {
    const row = await get(id);
    if (row === undefined) throw new Error(`${name} has no row ${id}`);
    const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
    if (Object.keys(given).length === 0) return;
    await mustNameReferences(given);
    const before = draft.get(row.id);
    stage(
      { ...row, ...given },
      { isNew: before?.isNew ?? false, changed: new Set([...(before?.changed ?? []), ...Object.keys(given)]) },
    );
  }

  function stage(row: UntypedRow, write: Omit<Write, 'row'>): void {
    draft.set(row.id, { row: copyRow(row), ...write });
    addToIndex(row);
  }

  function keep(): void {
    for (const [id, write] of draft) {
      const before = kept.get(id);
      kept.set(id, {
        ...write,
        isNew: write.isNew || before?.isNew === true,
        changed: new Set([...(before?.changed ?? []), ...write.changed]),
      });
    }
    draft.clear();
  }

  async function flush(): Promise<void> {
    const writes = [...kept.values()];
    const inserted = store.insertRows(
      name,
      writes.filter(({ isNew }) => isNew).map(({ row }) => row as unknown as RowOf<typeof name>),
    );
    const alike = Map.groupBy(
      writes.filter(({ isNew }) => !isNew),
      ({ changed }) => [...changed].toSorted().join(),
    );
    const updated = [...alike].map(([columns, group]) =>
      store.updateRows(
        name,
        columns.split(',') as (keyof RowOf<typeof name>)[],
        group.map(({ row }) => row as unknown as RowOf<typeof name>),
      ),
    );
    await inTurn(inserted, ...updated);
  }

  return {
    name,
    verbs: {
      get: async (id) => {
        const row = await get(id);
        return row === undefined ? undefined : copyRow(row);
      },
      find: async (where) => {
        const row = await find(where);
        return row === undefined ? undefined : copyRow(row);
      },
      insert,
      update,
    },
    lock,
    prepare,
    keep,
    discard: () => draft.clear(),
    flush,
    settle: () => {
      for (const [id, { row }] of kept) stored.set(id, row);
      kept.clear();
    },
  };
}
