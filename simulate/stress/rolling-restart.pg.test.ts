import { Agent, get, type IncomingMessage } from 'node:http';
import { sql as rawSql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeUser } from '../../shared/testing/make.ts';
import { insertRows } from '../../sync-server/db/write-rows.ts';
import { post } from '../../sync-server/testing/sync-harness.ts';
import { askOver } from './ask.ts';
import { recordHistory } from './audit.ts';
import { openBalancer } from './balancer.ts';
import { createLoad } from './load.ts';
import { hostedEnvironment, tokenFor } from './hosted-sign-in.ts';
import { openInstance, type Instance } from './instance.ts';
import { checkHistories } from './check-histories.ts';
import { listenForPokes } from './poke-listener.ts';
import { openStressDatabase, type StressDatabase } from './stress-database.ts';

let harness: StressDatabase;
/** The tests follow one another on them: a start costs two seconds of a processor. */
let instances: Instance[];
const agent = new Agent({ keepAlive: true });

beforeAll(async () => {
  harness = await openStressDatabase();
  instances = await Promise.all([1, 2, 3].map(() => openInstance({ ...hostedEnvironment, DATABASE_URL: harness.url })));
});
afterAll(async () => {
  await Promise.all(instances.map((instance) => instance.end('SIGKILL')));
  await harness.close();
});

async function person(): Promise<{ id: string; token: string }> {
  const user = makeUser();
  await insertRows(harness.database.sql, 'users', [user]);
  return { id: user.id, token: await tokenFor(user.id) };
}

describe('three servers', () => {
  beforeAll(async () => void (await Promise.all(instances.map((instance) => instance.start()))));

  it('a poke reaches a device whichever server it listens to', async () => {
    const { token } = await person();
    const listeners = instances.map(({ origin }) => listenForPokes(origin, token, false, () => undefined));
    // Each is poked once as it connects, because it does not say what it has seen.
    let told = 1;
    const fewest = () => Math.min(...listeners.map((listener) => listener.heard()));
    await expect.poll(fewest, { timeout: 30_000 }).toBe(told);
    for (const { origin } of instances) {
      const answer = await askOver(origin, token, agent)({ mutations: [post()] });
      expect(answer).toMatchObject({ outcomes: [{ status: 'applied' }] });
      told += 1;
      await expect.poll(fewest, { timeout: 30_000 }).toBe(told);
    }
    for (const listener of listeners) listener.close();
  });

  it('one that is stopped finishes the exchange it has begun, says goodbye to its streams, and ends', async () => {
    const { database } = harness;
    const [server] = instances as [Instance];
    const { id, token } = await person();
    const stream = await new Promise<IncomingMessage>((resolve, reject) =>
      get(`${server.origin}/api/sync/poke`, { headers: { Authorization: `Bearer ${token}` } }, resolve).on(
        'error',
        reject,
      ),
    );
    let heard = '';
    stream.setEncoding('utf8').on('data', (text: string) => void (heard += text));
    const goodbye = new Promise<boolean>((resolve) => stream.on('close', () => resolve(stream.complete)));
    await expect.poll(() => heard).toContain('event: poke');

    const job = post();
    // Another transaction locks the person's row, so the exchange waits in the middle of its work.
    const { answer, code } = await database.transaction(async (sql) => {
      await rawSql`select 1 from users where id = ${id} for update`.execute(sql);
      const waiting = askOver(server.origin, token, agent)({ mutations: [job] });
      const waitingForThis = async () =>
        (await rawSql`select 1 from pg_stat_activity where pg_backend_pid() = any (pg_blocking_pids(pid))`.execute(sql))
          .rows.length;
      await expect.poll(waitingForThis).toBe(1);
      const ending = server.end('SIGTERM');
      // No new request is admitted.
      await expect.poll(() => server.isReady()).toBe(false);
      expect(await goodbye).toBe(true);
      return { answer: waiting, code: ending };
    });
    expect(await answer).toMatchObject({ kind: 'delta', outcomes: [{ uid: job.uid, status: 'applied' }] });
    expect(await code).toBe(0);
    await server.start();
  });

  it('are replaced under load, one after the other, and no device loses anything', async () => {
    const { database } = harness;
    await recordHistory(database.sql);
    const balancer = await openBalancer(instances.map(({ port }) => port));
    const members = await createLoad({
      database,
      people: 3,
      seed: 3,
      askAs: async (userId) => askOver(balancer.origin, await tokenFor(userId), agent),
    });
    let isOver = false;
    const lives = members.map(async ({ device, person: { tap } }) => {
      while (!isOver) {
        if (device.waiting() < 40) tap();
        await device.exchange();
      }
      while (!(await device.exchange())) await new Promise((resolve) => setTimeout(resolve, 20));
    });
    for (const instance of instances) {
      const before = balancer.passed.get(instance.port) ?? 0;
      expect(await instance.end('SIGTERM')).toBe(0);
      await instance.start();
      await expect.poll(() => (balancer.passed.get(instance.port) ?? 0) - before).toBeGreaterThan(10);
    }
    isOver = true;
    await Promise.all(lives);
    for (const { device } of members) while (!(await device.exchange())) continue;
    expect(
      await checkHistories(
        database.sql,
        members.map(({ device }) => device),
      ),
    ).toEqual([]);
    await balancer.close();
  }, 300_000);
});
