import { Dexie } from 'dexie';

/*
 * A phone's disk when a version was shipped: its databases, record by record, as JSON. Old phones come back after
 * months with such a disk, and everything on it must still be understood (S6).
 */

export interface FrozenDatabase {
  name: string;
  version: number;
  /** Dexie's own schema text for each store: primary key, then indexes. */
  stores: Record<string, string>;
  rows: Record<string, unknown[]>;
}

export interface FrozenPhone {
  owner: string;
  userId: string;
  databases: { person: FrozenDatabase; device: FrozenDatabase; public: FrozenDatabase };
  /** Uids that the server had applied, whose answer was lost. */
  decided: string[];
  /** The outcome of each waiting mutation under the version's own code: `applied`, or the code of the rejection. */
  ends: Record<string, string>;
}

export interface FrozenPhones {
  /** The `version` of package.json. */
  app: string;
  frozenAt: string;
  protocol: number;
  schema: number;
  /**
   * The server's rows when the phones were switched off, and after they had sent what waited, by table; instants of
   * that second part say `instant`.
   */
  server: Record<string, unknown[]>;
  after: Record<string, unknown[]>;
  phones: FrozenPhone[];
}

const bytesKey = '$bytes';

/** JSON has no ArrayBuffer. */
export function toJson(value: unknown): unknown {
  // Node's and the test document's are two classes of one name.
  if (Object.prototype.toString.call(value) === '[object ArrayBuffer]')
    return { [bytesKey]: Array.from(new Uint8Array(value as ArrayBuffer)) };
  if (Array.isArray(value)) return value.map(toJson);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, toJson(part)]));
}

export function fromJson(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(fromJson);
  if (typeof value !== 'object' || value === null) return value;
  const bytes = (value as Record<string, unknown>)[bytesKey];
  if (Array.isArray(bytes)) return Uint8Array.from(bytes as number[]).buffer;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, fromJson(part)]));
}

export function storesOf(db: Dexie): Record<string, string> {
  return Object.fromEntries(
    db.tables.map(
      ({ name, schema }) => [name, [schema.primKey, ...schema.indexes].map(({ src }) => src).join(', ')] as const,
    ),
  );
}

/** The number of the last commit says nothing of what is kept: a phone without one begins to count. */
const isLasting = (record: { key?: unknown }) => record.key !== 'written';

/** Everything in it. `name`: what this database is called on a real phone. */
export async function freezeDatabase(db: Dexie, name: string): Promise<FrozenDatabase> {
  const rows = await Promise.all(
    db.tables.map(async (table) => [table.name, toJson((await table.toArray()).filter(isLasting))] as const),
  );
  return { name, version: db.verno, stores: storesOf(db), rows: Object.fromEntries(rows) as Record<string, unknown[]> };
}

/** Writes it to this device's disk as it was, with its own version's schema and not with today's. */
export async function thawDatabase(
  { version, stores, rows, ...frozen }: FrozenDatabase,
  name = frozen.name,
): Promise<void> {
  const db = new Dexie(name, { cache: 'disabled' });
  db.version(version).stores(stores);
  for (const [store, records] of Object.entries(rows)) await db.table(store).bulkAdd(records.map(fromJson));
  db.close();
}

/**
 * What can change unnoticed between two versions: stores and indexes, and the fields and types of what is in them; a
 * mutation's arguments by its name.
 */
export function shapeOf({ protocol, schema, phones }: FrozenPhones): unknown {
  const databases: Record<string, unknown> = {};
  for (const role of ['person', 'device', 'public'] as const) {
    const all = phones.map((phone) => phone.databases[role]);
    const names = [...new Set(all.flatMap(({ stores }) => Object.keys(stores)))].toSorted();
    databases[role] = {
      version: all[0]?.version,
      stores: Object.assign({}, ...all.map(({ stores }) => stores)) as Record<string, string>,
      rows: Object.fromEntries(
        names.map((name) => [
          name,
          fieldsOf(
            all.flatMap(({ rows }) => rows[name] ?? []),
            kindOf(name),
          ),
        ]),
      ),
    };
  }
  return { protocol, schema, databases };
}

/** Records of these stores differ by what they are about; they are described kind by kind. */
function kindOf(store: string): (row: Record<string, unknown>) => string {
  if (store === 'outbox' || store === 'refused') return ({ name }) => String(name);
  if (store === 'meta' || store === 'entries') return ({ key }) => String(key).replace(/^mark:.*/, 'mark');
  return () => 'row';
}

function fieldsOf(rows: unknown[], kind: (row: Record<string, unknown>) => string): Record<string, string[]> {
  const fields = new Map<string, Set<string>>();
  const note = (path: string, value: unknown): void => {
    if (Array.isArray(value)) return value.forEach((part) => note(`${path}[]`, part));
    if (typeof value === 'object' && value !== null && !(bytesKey in value))
      return Object.entries(value).forEach(([key, part]) => note(`${path}.${key}`, part));
    const what = value === null ? 'null' : typeof value === 'object' ? 'bytes' : typeof value;
    fields.set(path, (fields.get(path) ?? new Set()).add(what));
  };
  for (const row of rows as Record<string, unknown>[]) note(kind(row), row);
  return Object.fromEntries(
    [...fields]
      .map(([path, kinds]) => [path, [...kinds].toSorted()] as const)
      .toSorted(([one], [other]) => (one < other ? -1 : 1)),
  );
}
