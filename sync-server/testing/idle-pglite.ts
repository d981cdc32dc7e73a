import { PGlite } from '@electric-sql/pglite';
import { columnParsers } from '../db/column-parsers.ts';
import { overPglite, type PgliteDatabase } from '../db/open-pglite.ts';
import { pgliteTemplate } from './pglite-template.ts';

interface Running {
  pglite: PGlite;
  /** Rows of the tables that the migrations leave some in, as JSON text: no number passes through JavaScript. */
  rows: { table: string; json: string }[];
  /** What sets each sequence back. */
  sequences: string;
  schema: string;
}

/** The one that the previous test used, emptied. To start one costs more than most tests do. */
let idle: Running | undefined;

/** A new, migrated PGlite. `close` empties it for the next test, or discards it where a test changed more than rows. */
export async function acquirePglite(): Promise<PgliteDatabase> {
  const running = idle ?? (await start());
  idle = undefined;
  const database = await overPglite(running.pglite);
  const heard = new Set<() => Promise<void>>();
  const close = async () => {
    await database.close();
    for (const stop of heard) await stop();
    if (idle === undefined && (await isEmptied(running))) idle = running;
    else await running.pglite.close();
  };
  const listen: PgliteDatabase['listen'] = async (channel, onNotice) => {
    const stop = await database.listen(channel, onNotice);
    heard.add(stop);
    return async () => {
      heard.delete(stop);
      await stop();
    };
  };
  return { ...database, listen, close };
}

async function start(): Promise<Running> {
  const pglite = await PGlite.create({
    parsers: columnParsers,
    relaxedDurability: false,
    loadDataDir: await pgliteTemplate(),
  });
  const rows: Running['rows'] = [];
  for (const table of await tablesOf(pglite)) {
    const {
      rows: [found],
    } = await pglite.query<{ json: string | null }>(`select json_agg(t)::text as json from ${table} t`);
    if (found?.json != null) rows.push({ table, json: found.json });
  }
  const {
    rows: [counted],
  } = await pglite.query<{ sequences: string }>(`select string_agg(format('select setval(%L, %s, %L)',
    format('%I.%I', schemaname, sequencename), coalesce(last_value, start_value), last_value is not null), ';') as sequences from pg_sequences`);
  return { pglite, rows, sequences: counted?.sequences ?? '', schema: await schemaOf(pglite) };
}

async function tablesOf(pglite: PGlite): Promise<string[]> {
  const { rows } = await pglite.query<{
    name: string;
  }>(`select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname not in ('pg_catalog', 'information_schema') order by 1`);
  return rows.map(({ name }) => name);
}

/** Everything of a database that is not its rows, in short. What PostgreSQL brings itself has lower numbers. */
async function schemaOf(pglite: PGlite): Promise<string> {
  const numbered = {
    pg_class: 'oid',
    pg_attribute: 'attrelid',
    pg_attrdef: 'oid',
    pg_constraint: 'oid',
    pg_trigger: 'oid',
    pg_proc: 'oid',
    pg_policy: 'oid',
    pg_type: 'oid',
    pg_namespace: 'oid',
    pg_rewrite: 'oid',
  };
  const from = [
    ...Object.entries(numbered).map(([name, id]) => `${name} c where ${id} >= 16384`),
    'pg_authid c',
    'pg_db_role_setting c',
    'pg_extension c',
  ];
  // Statistics change these columns in a table's own catalogue row.
  const changing =
    "- array['relfilenode', 'relpages', 'reltuples', 'relallvisible', 'relallfrozen', 'relfrozenxid', 'relminmxid']";
  const parts = from.map(
    (lines) =>
      `(select md5(string_agg(line, '' order by line)) from (select (to_jsonb(c) ${changing})::text as line from ${lines}) lines)`,
  );
  const {
    rows: [found],
  } = await pglite.query<{ schema: string }>(`select concat_ws(' ', ${parts.join(', ')}) as schema`);
  return found?.schema ?? '';
}

/** Rows and sequences as at first; false where the test changed more than those, or left a transaction open. */
async function isEmptied({ pglite, rows, sequences, schema }: Running): Promise<boolean> {
  if (pglite.closed) return false;
  try {
    await pglite.exec('discard all');
    if ((await schemaOf(pglite)) !== schema) return false;
    await pglite.exec(
      `set session_replication_role = replica; ${(await tablesOf(pglite)).map((table) => `delete from ${table}`).join('; ')}`,
    );
    for (const { table, json } of rows)
      await pglite.query(
        `insert into ${table} overriding system value select * from json_populate_recordset(null::${table}, $1::json)`,
        [json],
      );
    await pglite.exec(`${sequences}; set session_replication_role = default`);
    return true;
  } catch {
    // A transaction is open, or was broken off: it is thrown away with its database.
    return false;
  }
}
