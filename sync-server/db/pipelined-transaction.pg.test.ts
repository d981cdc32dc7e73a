import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDb, type TestDatabase } from '../testing/test-db.ts';
import { pipelinedTransaction } from './pipelined-transaction.ts';
import type { Sql } from './database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDb('postgres');
});
afterAll(() => database.close());

const add = (tx: Sql, key: string) =>
  sql`insert into rate_limit (key, full_at) values (${key}, now())`.execute(tx).then(() => undefined);
const keys = async (tx: Sql) =>
  (await sql<{ key: string }>`select key from rate_limit order by key`.execute(tx)).rows.map(({ key }) => key);

test('what is asked together is carried out in its order, and commits together', async () => {
  const found = await database.transaction(async (tx) => {
    const [, one, , both] = await Promise.all([add(tx, 'a'), keys(tx), add(tx, 'b'), keys(tx)]);
    return [one, both];
  });
  expect([...found, await keys(database.sql)]).toEqual([['a'], ['a', 'b'], ['a', 'b']]);
});

test('after an error the statements that were sent with it fail as well, and nothing is written', async () => {
  const before = await keys(database.sql);
  const failed = database.transaction((tx) =>
    Promise.allSettled([add(tx, 'c'), add(tx, 'c'), add(tx, 'd')]).then((asked) => {
      expect(asked).toMatchObject([
        { status: 'fulfilled' },
        { reason: { code: '23505' } },
        { reason: { code: '25P02' } },
      ]);
      throw new Error('said by the test');
    }),
  );
  await expect(failed).rejects.toThrow('said by the test');
  expect(await keys(database.sql)).toEqual(before);
});

test('what was asked and not waited for is not carried out once the transaction is over', async () => {
  let late: Sql | undefined;
  await database.transaction(async (tx) => void (late = tx));
  await expect(keys(late!)).rejects.toThrow('the transaction is over');
});

test('a snapshot reads one state and writes nothing', async () => {
  const read = database.transaction(
    async (tx) => {
      const before = await keys(tx);
      await add(database.sql, 'e');
      return [before, await keys(tx)];
    },
    { mode: 'snapshot' },
  );
  const [before, after] = await read;
  expect(after).toEqual(before);
  await expect(database.transaction((tx) => add(tx, 'f'), { mode: 'snapshot' })).rejects.toMatchObject({
    code: '25006',
  });
});

/** A pool of one connection that notes what it is asked; BEGIN is answered when the test says so. */
function openRecorder(begin: Promise<unknown>) {
  const asked: string[] = [];
  const client = {
    query: (text: string) => {
      asked.push(text);
      return text === 'begin' ? begin : Promise.resolve({ command: 'SELECT', rowCount: 0, rows: [] });
    },
    release: () => void asked.push('release'),
  };
  return {
    asked,
    transact: pipelinedTransaction({ connect: async () => client, end: async () => undefined, options: {} } as never),
  };
}

test('reads go along with BEGIN; a write, and what is asked after it, wait until it is answered', async () => {
  const begin = Promise.withResolvers<unknown>();
  const { asked, transact } = openRecorder(begin.promise);
  const done = transact((tx) =>
    Promise.all(['select 1', 'update a', 'select 2'].map((text) => sql.raw(text).execute(tx))),
  );
  await expect.poll(() => asked).toEqual(['begin', 'select 1']);
  begin.resolve({});
  await done;
  expect(asked).toEqual(['begin', 'select 1', 'update a', 'select 2', 'commit', 'release']);
});

test('nothing is written, and nothing commits, where BEGIN failed', async () => {
  const { asked, transact } = openRecorder(Promise.reject(new Error('cancelled')));
  await expect(transact((tx) => sql.raw('update a').execute(tx))).rejects.toThrow('cancelled');
  const reading = openRecorder(Promise.reject(new Error('cancelled')));
  await expect(reading.transact((tx) => sql.raw('select 1').execute(tx))).rejects.toThrow('cancelled');
  expect([asked, reading.asked]).toEqual([
    ['begin', 'rollback', 'release'],
    ['begin', 'select 1', 'rollback', 'release'],
  ]);
});
