import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrations } from '../../db/migrations/index.ts';
import { openPostgres } from '../../db/open-postgres.ts';
import { openTestApp } from '../../testing/test-app.ts';
import { usualDatabase, openTestDb, type TestDatabase } from '../../testing/test-db.ts';
import { openWire } from '../../testing/wire.ts';

describe.each(usualDatabase)('health on %s', (kind) => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await openTestDb(kind);
  });
  afterAll(() => database.close());

  it('is live and ready when all is well', async () => {
    const app = await openTestApp({ database });
    expect([(await app.call('/health/live')).status, (await app.call('/health/ready')).status]).toEqual([200, 200]);
    expect(await (await app.call('/health/ready')).json()).toMatchObject({
      status: 'ready',
      checks: { database: { state: 'ok', isNeeded: true, ms: expect.any(Number) }, migrations: { state: 'ok' } },
    });
    await app.close();
  });

  it('names what is not migrated, and recovers', async () => {
    const app = await openTestApp({ database });
    await sql`alter table mikro_orm_migrations rename to elsewhere`.execute(database.sql);
    const answer = await app.call('/health/ready');
    expect(answer.status).toBe(503);
    expect(await answer.json()).toMatchObject({
      code: 'unavailable',
      details: {
        reasons: [`migrations: ${migrations.map(({ name }) => `migration ${name} is not applied`).join(', ')}`],
      },
    });
    await sql`alter table elsewhere rename to mikro_orm_migrations`.execute(database.sql);
    expect((await app.call('/health/ready')).status).toBe(200);
    await app.close();
  });

  it('is not ready once it is about to stop', async () => {
    const app = await openTestApp({ database, closing: AbortSignal.abort() });
    expect(await (await app.call('/health/ready')).json()).toMatchObject({ details: { reasons: ['stopping'] } });
    await app.close();
  });
});

describe('a database that goes away', () => {
  it('makes ready 503 and live 200, and ready again when it is back', async () => {
    const real = await openTestDb('postgres');
    const wire = await openWire(real.url ?? '');
    const database = await openPostgres({ url: wire.url });
    const app = await openTestApp({ database });
    const ready = async () => (await app.call('/health/ready')).status;
    expect(await ready()).toBe(200);
    wire.cut();
    expect(await ready()).toBe(503);
    expect((await app.call('/health/live')).status).toBe(200);
    const answer = await app.call('/health/ready');
    expect(answer.headers.get('retry-after')).toBe('2');
    expect(await answer.json()).toMatchObject({
      code: 'unavailable',
      details: { reasons: ['database: it does not answer', 'migrations: it does not answer'] },
    });
    wire.mend();
    await expect.poll(ready, { timeout: 30_000 }).toBe(200);
    await app.close();
    await database.close();
    await wire.close();
    await real.close();
  });
});
