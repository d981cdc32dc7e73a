import { columnName } from '../../sync-server/db/column-name.ts';
import { tables, type TableName } from '../../shared/tables/index.ts';
import { collectionStatements } from './memory-collection-statements.ts';
import type { Answered, Asked, Statement } from './memory-statement.ts';
import type { MemoryTx } from './memory-store.ts';
import { audienceIn, maskedFor, syncedTables, type ChangeLine, type Row } from './memory-tables.ts';

const sqlError = (code: string, text: string) => Object.assign(new Error(text), { code });

const camel = (column: string) => column.replace(/_([a-z])/g, (_all, letter: string) => letter.toUpperCase());
const keyOf = (row: Row) => String(row['id']);
const lockOf = (table: string, id: unknown) => `${table}/${String(id)}`;
/** Those of the keys that exist. */
function rowsAt(tx: MemoryTx, table: string, keys: readonly string[]): Row[] {
  return keys.map((key) => tx.get(table, key)).filter((row) => row !== undefined);
}

const byId = (one: Row, other: Row) => (keyOf(one) < keyOf(other) ? -1 : 1);

/** Rows for update, in order of id, as they are once the lock is had. */
async function holdRows(tx: MemoryTx, table: string, fits: (row: Row) => boolean): Promise<Row[]> {
  const found: Row[] = [];
  for (const { id } of tx.all(table).filter(fits).toSorted(byId)) {
    await tx.hold(lockOf(table, id));
    const now = tx.get(table, String(id));
    if (now !== undefined && fits(now)) found.push(now);
  }
  return found;
}

/** `"t"."job_id" = $1 and "t"."tradie_id" = any($2::uuid[])` as a test on rows. */
function conditionsOf(where: string, values: readonly unknown[]): (row: Row) => boolean {
  const conditions = [...where.matchAll(/"t"\."(\w+)" = (any\()?\$(\d+)/g)].map(([, column, any, at]) => {
    const value = values[Number(at) - 1];
    const name = camel(String(column));
    return any === undefined
      ? (row: Row) => row[name] === value
      : (row: Row) => (value as unknown[]).includes(row[name]);
  });
  return (row) => conditions.every((holds) => holds(row));
}

/** What PostgreSQL cannot hold (SQLSTATE class 22). */
function mustBeHoldable(row: Row): void {
  if (JSON.stringify(row).includes('\\u0000')) throw sqlError('22P05', 'a text with a NUL');
}

function mustBeUnique(tx: MemoryTx, table: TableName, row: Row): void {
  for (const columns of tables[table].unique as readonly (readonly string[])[]) {
    if (
      tx
        .all(table)
        .some((other) => other['id'] !== row['id'] && columns.every((column) => other[column] === row[column]))
    )
      throw sqlError('23505', 'a unique key is taken');
  }
}

/** A row that exceeds a limit of its table: to the server it looks like a fault of the program. See `poison` in the world's steps. */
export const poison = 'POISON';

async function insertRows({ tx, values, caught: [table] }: Asked): Promise<Answered> {
  const given = JSON.parse(String(values[0])) as Row[];
  for (const record of given) {
    const row = Object.fromEntries(Object.entries(record).map(([column, value]) => [camel(column), value]));
    mustBeHoldable(row);
    if (JSON.stringify(row).includes(poison)) throw sqlError('XX000', 'an internal error');
    await tx.hold(lockOf(String(table), row['id']));
    for (const columns of tables[table as TableName].unique as readonly (readonly string[])[])
      await tx.hold(`${String(table)}:${columns.map((column) => String(row[column])).join()}`);
    if (tx.get(String(table), keyOf(row)) !== undefined) throw sqlError('23505', 'the id is taken');
    mustBeUnique(tx, table as TableName, row);
    tx.put(String(table), keyOf(row), row);
  }
  return { rows: [], affected: given.length };
}

async function updateRows({ tx, values, caught: [table] }: Asked): Promise<Answered> {
  const given = JSON.parse(String(values[0])) as Row[];
  let affected = 0;
  for (const record of given.toSorted(byId)) {
    await tx.hold(lockOf(String(table), record['id']));
    const was = tx.get(String(table), keyOf(record));
    if (was === undefined) continue;
    const changes = Object.fromEntries(Object.entries(record).map(([column, value]) => [camel(column), value]));
    mustBeHoldable(changes);
    tx.put(String(table), keyOf(record), { ...was, ...changes });
    affected += 1;
  }
  return { rows: [], affected };
}

const outcomesOf = ({ tx, values: [userId, uids] }: Asked) =>
  rowsAt(
    tx,
    'sync_mutation',
    (uids as string[]).map((uid) => `${String(userId)}/${uid.toLowerCase()}`),
  );

interface SettleLine {
  uid: string;
  name: string;
  args_hash: string;
  outcome: Row;
}

async function settle({ tx, sql, values: [userId, at, lines] }: Asked): Promise<Answered> {
  let affected = 0;
  for (const line of JSON.parse(String(lines)) as SettleLine[]) {
    const key = `${String(userId)}/${line.uid.toLowerCase()}`;
    await tx.hold(`sync_mutation/${key}`);
    if (tx.get('sync_mutation', key) !== undefined && sql.endsWith('on conflict do nothing')) continue;
    tx.put('sync_mutation', key, {
      user_id: userId,
      ...line,
      uid: line.uid.toLowerCase(),
      status: line.outcome['status'],
      at,
    });
    affected += 1;
  }
  return { rows: [], affected };
}

const meta = (tx: MemoryTx) => tx.get('sync_meta', 'only') as { lineage: string; tombstone_floor: number };
const changes = (tx: MemoryTx) => tx.all('sync_change') as ChangeLine[];
export const headIn = (tx: MemoryTx) =>
  changes(tx).reduce((most, { version }) => Math.max(most, version), Number(meta(tx).tombstone_floor));

const asChange = ({ entity, entity_id, version, deleted }: ChangeLine) => ({
  entity,
  entity_id,
  version: String(version),
  deleted,
});

function changesOfPerson({ tx, values, sql }: Asked): Answered {
  const [userId, version, limit] = values;
  const mine = changes(tx).filter(({ audience }) => audience.includes(String(userId)));
  if (!sql.startsWith('with')) return { rows: mine.filter((line) => line.version === Number(version)).map(asChange) };
  const since = mine
    .filter((line) => line.version > Number(version))
    .toSorted((one, other) => one.version - other.version);
  return { rows: since.slice(0, Number(limit)).map(asChange) };
}

function visible({ tx, values, caught: [table] }: Asked): Answered {
  const ids = values.find(Array.isArray) as string[];
  const userId = String(values.find((value) => typeof value === 'string'));
  const name = table as TableName;
  const rows = rowsAt(tx, name, ids).filter((row) => audienceIn(tx, name, row).includes(userId));
  return { rows: rows.map((row) => maskedFor(userId, name, row)).toSorted(byId) };
}

function countAttempt({ tx, values: [userId, uid, now, , error] }: Asked): Answered {
  const key = `${String(userId)}/${String(uid)}`;
  const known = tx.get('sync_attempt', key);
  const row =
    known === undefined
      ? { user_id: userId, uid, attempts: 1, first_at: now, last_at: now, last_error: error }
      : { ...known, attempts: Number(known['attempts']) + 1, last_at: now, last_error: error };
  tx.put('sync_attempt', key, row);
  return { rows: [row] };
}

async function park({ tx, values: [userId, uid, name, argsHash, outcome, at] }: Asked): Promise<Answered> {
  const key = `${String(userId)}/${String(uid)}`;
  await tx.hold(`sync_mutation/${key}`);
  if (tx.get('sync_mutation', key) !== undefined) return { rows: [] };
  tx.put('sync_mutation', key, {
    user_id: userId,
    uid,
    name,
    args_hash: argsHash,
    status: 'parked',
    outcome: JSON.parse(String(outcome)) as Row,
    at,
  });
  return { rows: [{ uid }] };
}

function purge({ tx, values: [before] }: Asked, raisesFloor: boolean): Answered {
  const isBuilt = ({ shelf: collection, shelf_version: version }: ChangeLine) => {
    const manifest = collection === null ? undefined : tx.get('shelf_manifest', collection);
    return manifest === undefined || !(Number(manifest['version']) < (version ?? 0));
  };
  const gone = changes(tx).filter((line) => line.deleted && line.changed_at < (before as Date) && isBuilt(line));
  for (const { entity, entity_id } of gone) tx.remove('sync_change', `${entity}/${entity_id}`);
  const most = gone.reduce((high, { version }) => Math.max(high, version), 0);
  if (gone.length > 0 && raisesFloor)
    tx.put('sync_meta', 'only', { ...meta(tx), tombstone_floor: Math.max(Number(meta(tx).tombstone_floor), most) });
  return { rows: [{ purged: gone.length }] };
}

/** A mail to the owner of each interest that these mutations made; one under a known key is left out. */
function recordMails({ tx, values: [userId, now, , ids] }: Asked): Answered {
  const made = rowsAt(tx, 'interests', ids as string[]).filter(
    (row) => row['userId'] === userId && row['createdAt'] === (now as Date).toISOString(),
  );
  for (const { id } of made) {
    const key = `interest.mail:${String(id)}`;
    if (tx.get('effect', key) === undefined)
      tx.put('effect', key, { key, user_id: userId, name: 'interest.mail', payload: { interestId: id }, at: now });
  }
  return { rows: [] };
}

function pokeChanges({ tx, values }: Asked): Answered {
  const since = Number(values[0]);
  const changed = changes(tx).filter(({ version }) => version > since);
  return {
    rows: [
      {
        lineage: meta(tx).lineage,
        isOfOtherLife: false,
        head: String(headIn(tx)),
        people: [...new Set(changed.flatMap(({ audience }) => audience))],
        accounts: changed.flatMap(({ entity, entity_id: id }) => (entity === 'users' ? [id] : [])),
        shelves: [
          ...new Set(
            changed.flatMap(({ shelf: collection, shelf_version: version }) =>
              collection !== null && (version ?? 0) > since ? [collection] : [],
            ),
          ),
        ],
      },
    ],
  };
}

const none: Answered = { rows: [] };
const synced = syncedTables.map(columnName).join('|');
const from = `from "?(${synced})"? t where`;

/** Every statement that the server's sync issues, and its result in PostgreSQL. An unknown one is an error, never a guess. */
export const statements: readonly Statement[] = [
  [/^savepoint (\w+)$/, ({ tx, caught: [name] }) => (tx.savepoint(String(name)), none)],
  [/^rollback to savepoint (\w+)$/, ({ tx, caught: [name] }) => (tx.rollbackTo(String(name)), none)],
  [/^release savepoint (\w+)$/, ({ tx, caught: [name] }) => (tx.release(String(name)), none)],
  [/^select pg_advisory_xact_lock/, async ({ tx }) => (await tx.hold('commit'), none)],

  [
    new RegExp(`^select .* ${from} t\\.id = \\$1(?:::uuid)? for no key update$`),
    async ({ tx, values: [id], caught: [table] }) => ({
      rows: await holdRows(tx, String(table), (row) => row['id'] === id),
    }),
  ],
  [
    new RegExp(`^select .* ${from} t\\.id = any\\(\\$1::uuid\\[\\]\\) order by t\\.id for no key update$`),
    async ({ tx, values: [ids], caught: [table] }) => ({
      rows: await holdRows(tx, String(table), (row) => (ids as unknown[]).includes(row['id'])),
    }),
  ],
  [
    new RegExp(`^select .* ${from} ("t".*) order by t\\.id for no key update$`),
    async ({ tx, values, caught: [table, where] }) => ({
      rows: await holdRows(tx, String(table), conditionsOf(String(where), values)),
    }),
  ],
  [
    new RegExp(`^select id from "?(${synced})"? where id = any\\(\\$1::uuid\\[\\]\\)$`),
    ({ tx, values: [ids], caught: [table] }) => ({
      rows: (ids as string[]).flatMap((id) => (tx.get(String(table), id) === undefined ? [] : [{ id }])),
    }),
  ],
  [
    /^select kind \|\| ':' \|\| id as entry from reference$/,
    ({ tx }) => ({
      rows: tx.all('reference').map((row) => ({ entry: `${String(row['kind'])}:${String(row['id'])}` })),
    }),
  ],
  [new RegExp(`^insert into "(${synced})" \\(.*\\) select .* from jsonb_populate_recordset`), insertRows],
  [new RegExp(`^update "(${synced})" as stored set .* from jsonb_populate_recordset`), updateRows],
  [new RegExp(`^select .* ${from} t\\.id = any\\(\\$\\d+::uuid\\[\\]\\) and \\(.*\\) order by t\\.id$`), visible],
  [
    /^select .* from users t where t\.id = any\(\$1::uuid\[\]\)$/,
    ({ tx, values: [ids] }) => ({ rows: rowsAt(tx, 'users', ids as string[]) }),
  ],

  [/^insert into sync_mutation .* select .* from jsonb_to_recordset/, settle],
  [/^insert into sync_mutation .* values .* 'parked'/, park],
  [/^select uid, args_hash from sync_mutation/, (asked) => ({ rows: outcomesOf(asked) })],
  [
    /^select uid, args_hash, outcome from sync_mutation .* outcome is not null/,
    (asked) => ({ rows: outcomesOf(asked).filter(({ outcome }) => outcome !== null) }),
  ],
  [/^insert into sync_attempt/, countAttempt],
  [
    /^insert into sync_parked/,
    ({ tx, values: [userId, uid, name, args, error, at] }) => (
      tx.put('sync_parked', `${String(userId)}/${String(uid)}`, {
        user_id: userId,
        uid,
        name,
        args: JSON.parse(String(args)) as unknown,
        error,
        parked_at: at,
        replayed_at: null,
      }),
      none
    ),
  ],
  [
    /^delete from sync_attempt where user_id/,
    ({ tx, values: [userId, uid] }) => (tx.remove('sync_attempt', `${String(userId)}/${String(uid)}`), none),
  ],
  [/^delete from sync_attempt where last_at/, () => none],

  [
    /^select meta\.lineage, meta\.tombstone_floor as floor,.* from sync_meta meta join users t on t\.id = \$1$/,
    ({ tx, values: [userId] }) => {
      const person = tx.get('users', String(userId));
      return person === undefined
        ? none
        : {
            rows: [
              {
                ...person,
                lineage: meta(tx).lineage,
                floor: String(meta(tx).tombstone_floor),
                head: String(headIn(tx)),
              },
            ],
          };
    },
  ],
  [
    /^select greatest\(tombstone_floor, \(select max\(version\) from sync_change\)\) as head from sync_meta$/,
    ({ tx }) => ({ rows: [{ head: String(headIn(tx)) }] }),
  ],
  [/^with mine as materialized/, changesOfPerson],
  [/^select entity, entity_id, version, deleted from sync_change where audience/, changesOfPerson],
  [/^with changed as materialized/, pokeChanges],
  [
    /^with gone as \(delete from sync_change .*update sync_meta set tombstone_floor = greatest/,
    (asked) => purge(asked, true),
  ],
  [/^with gone as \(delete from sync_change /, (asked) => purge(asked, false)],
  [/^with added as \( ?insert into effect .* 'interest\.mail'/, recordMails],
  ...collectionStatements,
];
