import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hour } from '../../shared/lib/durations.ts';
import { must } from '../../shared/lib/must.ts';
import { createSqlStore } from '../store/sql-store.ts';
import { createEmbeddedAuth } from '../embedded/auth/embedded-auth.ts';
import { createLog } from '../lib/log.ts';
import { openEmbeddedHarness, type EmbeddedHarness } from '../testing/embedded-harness.ts';
import { openTestApp, type TestApp } from '../testing/test-app.ts';
import { usualDatabase } from '../testing/test-db.ts';
import { openPoke, type Poke } from './poke.ts';
import { pokeRoutes } from './poke-route.ts';

/**
 * Sign-in is the product's own, on two instances over one database: a session that one of them ends, the other only
 * finds by reading the database.
 */
describe.each(usualDatabase)('streams and sessions on %s', (kind) => {
  let harness: EmbeddedHarness;
  let poke: Poke;
  const apps: TestApp[] = [];

  beforeAll(async () => {
    harness = await openEmbeddedHarness(kind);
    const log = createLog('error');
    poke = openPoke({ store: createSqlStore(harness.database), clock: harness.now, log });
    await poke.start();
    const other = await createEmbeddedAuth({
      database: harness.database,
      mailer: harness.mailbox,
      clock: harness.now,
      log,
      publicUrl: () => harness.url,
    });
    for (const { verifyToken, anonKey } of [harness.auth, other]) {
      const closing = new AbortController();
      const deps = { verifyToken, anonKey };
      apps.push(
        await openTestApp({
          database: harness.database,
          ...deps,
          embedded: [pokeRoutes({ ...deps, poke, closing: closing.signal, everyMs: 20 }).router],
        }),
      );
    }
  });
  afterAll(async () => {
    for (const app of apps) await app.close();
    await poke.close();
    await harness.close();
  });

  async function listen(app: TestApp | undefined, token: string) {
    const response = await must(app, 'an instance').call('/api/sync/poke', {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(response.status).toBe(200);
    let isOver = false;
    const reader = must(response.body, 'a body').getReader();
    const read = async (): Promise<void> => {
      while (!(await reader.read()).done);
      isOver = true;
    };
    return { over: read(), isOver: () => isOver, stop: () => reader.cancel() };
  }

  it('end on every instance when the person signs out everywhere, and no other person’s', async () => {
    const [leaver, stayer] = [await harness.person(), await harness.person()];
    const streams = await Promise.all(apps.map((app) => listen(app, leaver.token)));
    const kept = await Promise.all(apps.map((app) => listen(app, stayer.token)));
    await leaver.client.auth.signOut({ scope: 'global' });
    // A session that was there counts as there for five seconds.
    harness.pass(6_000);
    await Promise.all(streams.map(({ over }) => over));
    expect(kept.map(({ isOver }) => isOver())).toEqual([false, false]);
    await Promise.all(kept.map(({ stop }) => stop()));
  });

  it('end with the token they were opened under', async () => {
    const { token } = await harness.person();
    const stream = await listen(apps[0], token);
    expect(stream.isOver()).toBe(false);
    harness.pass(2 * hour);
    await stream.over;
    expect(stream.isOver()).toBe(true);
  });
});
