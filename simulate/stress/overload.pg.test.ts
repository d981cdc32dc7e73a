import { Agent } from 'node:http';
import { sql as rawSql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeUser } from '../../shared/testing/make.ts';
import { insertRows } from '../../sync-server/db/write-rows.ts';
import { callsAtOnce } from '../../sync-server/http/shed-load.ts';
import { post } from '../../sync-server/testing/sync-harness.ts';
import { askOver, NotAnswered } from './ask.ts';
import { recordHistory, readHistory } from './audit.ts';
import { hostedEnvironment, tokenFor } from './hosted-sign-in.ts';
import { openInstance, type Instance } from './instance.ts';
import { openStressDatabase, type StressDatabase } from './stress-database.ts';

let harness: StressDatabase;
let server: Instance;
beforeAll(async () => {
  harness = await openStressDatabase();
  await recordHistory(harness.database.sql);
  server = await openInstance({ ...hostedEnvironment, DATABASE_URL: harness.url, TRUSTED_PROXIES: 'loopback' });
  await server.start();
});
afterAll(async () => {
  await server.end('SIGTERM');
  await harness.close();
});

it('an overloaded server rejects calls with 503, keeps every change it acknowledged, and accepts the others later', async () => {
  const { database } = harness;
  const user = makeUser();
  await insertRows(database.sql, 'users', [user]);
  const ask = askOver(server.origin, await tokenFor(user.id), new Agent({ keepAlive: true }));
  const jobs: ReturnType<typeof post>[] = [];
  const turnedAway = () => rejectedWith.filter((why) => why.includes('"overloaded"')).length;
  let titles = 0;
  const applied = new Set<string>();
  const rejectedWith: string[] = [];
  const send = async (job: (typeof jobs)[number]): Promise<void> => {
    try {
      const answer = await ask({ mutations: [job] });
      if (answer.kind === 'delta')
        for (const { uid, status } of answer.outcomes) if (status === 'applied') applied.add(uid);
    } catch (error) {
      if (!(error instanceof NotAnswered)) throw error;
      rejectedWith.push(error.message);
    }
  };

  // While another transaction locks the person's row, admitted calls stay open.
  const first = await database.transaction(async (sql) => {
    await rawSql`select 1 from users where id = ${user.id} for update`.execute(sql);
    const sent: Promise<void>[] = [];
    for (let wanted = callsAtOnce.max + 40; turnedAway() < 20; wanted = 50) {
      const more = Array.from({ length: wanted }, () => post({ title: `overload ${(titles += 1)}` }));
      jobs.push(...more);
      sent.push(...more.map(send));
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    expect((await fetch(`${server.origin}/health/live`)).status).toBe(200);
    return sent;
  });
  await Promise.all(first);
  expect(rejectedWith.filter((why) => !why.startsWith('503 '))).toEqual([]);
  const history = await readHistory(database.sql);
  for (const job of jobs.filter(({ uid }) => applied.has(uid))) expect(history.get(String(job.args.title))).toBe(1);

  // As devices do: sends again what was not answered.
  const waiting = [...jobs];
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      for (let job = waiting.shift(); job !== undefined; job = waiting.shift())
        while (!applied.has(job.uid)) await send(job);
    }),
  );
  const after = await readHistory(database.sql);
  expect(jobs.map((job) => after.get(String(job.args.title)))).toEqual(jobs.map(() => 1));
});
