import { schemaVersion } from '../../shared/protocol/version.ts';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ExchangeAnswer } from '../../shared/protocol/exchange.ts';
import type { User } from '../../shared/tables/index.ts';
import { makeTestId } from '../../shared/testing/make.ts';
import { openSyncHarness, post, sent, type SyncHarness } from '../testing/sync-harness.ts';
import { usualDatabase } from '../testing/test-db.ts';
import { packCookie, unpackCookie } from './cookie.ts';
import { purgeTombstones, tombstoneMs } from './purge-tombstones.ts';

describe.each(usualDatabase)('a cookie that no longer holds, on %s', (kind) => {
  let harness: SyncHarness;
  let owner: User, person: User;
  beforeEach(async () => {
    harness = await openSyncHarness(kind, { pageSize: 10 });
    owner = await harness.homeowner();
    ({ user: person } = await harness.tradie());
  });
  afterEach(() => harness.close());
  const delta = (answer: ExchangeAnswer) => {
    if (answer.kind !== 'delta') throw new Error(`reset: ${answer.reason}`);
    return answer;
  };

  const reasonFor = async (user: User, cookie: string) => {
    const answer = await harness.ask(user, { cookie });
    return answer.kind === 'reset' ? answer.reason : 'no reset';
  };
  const cookieOf = async (user: User) => delta(await harness.ask(user)).cookie;
  const changed = (cookie: string, changes: object) => packCookie({ ...unpackCookie(cookie)!, ...changes });

  it('[S5] a cookie to which a newer server has added something is of use to this one', async () => {
    expect(await reasonFor(owner, changed(await cookieOf(owner), { added: 'later' }))).toBe('no reset');
  });

  it('[S4] an earlier server, which tells of no profile with an interest, has answered: the next answer tells it', async () => {
    const { user, tradie } = await harness.tradie();
    const job = await harness.job(owner);
    await harness.ask(user, { mutations: [sent('interest.express', { id: makeTestId(), jobId: job.id })] });
    const before = await cookieOf(owner);
    // As that server leaves it: up to the head, and without the mark.
    const { a, ...unmarked } = unpackCookie(before)!;
    expect(a).toBe(1);
    const told = async (cookie: string) => delta(await harness.ask(owner, { cookie }));
    expect((await told(before)).puts).toEqual({});
    const healed = await told(packCookie(unmarked));
    expect(healed.puts.tradies).toMatchObject([{ id: tradie.id }]);
    expect((await told(healed.cookie)).puts).toEqual({});
  });

  it('[S5][P6] a cookie that is unreadable, of another schema, timeline or database, above the head or below the floor', async () => {
    const cookie = await cookieOf(owner);
    const head = BigInt(unpackCookie(cookie)!.v);
    expect(await reasonFor(owner, cookie)).toBe('no reset');
    for (const bad of [
      '',
      'x',
      'eyJ2IjoxfQ',
      Buffer.from('{"v":"1').toString('base64url'),
      changed(cookie, { v: '-1' }),
      changed(cookie, { v: '1e3' }),
    ])
      expect(await reasonFor(owner, bad)).toBe('unreadable');
    expect(await reasonFor(owner, changed(cookie, { s: '0.1' }))).toBe('schema');
    expect(await reasonFor(owner, changed(cookie, { v: String(head + 1n) }))).toBe('ahead');
    expect(await reasonFor(owner, await cookieOf(person))).toBe('view');
    // [I13] With the same rights, yet of another person.
    expect(await reasonFor(owner, await cookieOf(await harness.homeowner()))).toBe('view');
    const newer = await harness.ask(owner, { cookie, schema: schemaVersion + 1 });
    expect(newer).toEqual({ kind: 'reset', reason: 'schema' });
    await sql`update sync_meta set lineage = gen_random_uuid()`.execute(harness.db.sql);
    expect(await reasonFor(owner, cookie)).toBe('lineage');
  });

  it('[S5] tombstones live 90 days; then a device from before them starts again, and one from after them does not', async () => {
    const doomed = await harness.job(owner);
    const asleep = harness.device(owner);
    await asleep.sync();
    await sql`delete from jobs where id = ${doomed.id}`.execute(harness.db.sql);
    const awake = harness.device(owner);
    await awake.sync();
    const tombstones = async () =>
      (await sql`select 1 from sync_change where deleted`.execute(harness.db.sql)).rows.length;
    // The triggers stamp by the database's own clock.
    harness.pass(Date.now() - harness.now().getTime() + tombstoneMs - 60_000);
    await purgeTombstones(harness.parts);
    expect(await tombstones()).toBe(1);
    harness.pass(120_000);
    await purgeTombstones(harness.parts);
    expect(await tombstones()).toBe(0);
    asleep.answers.length = awake.answers.length = 0;
    await Promise.all([asleep.sync(), awake.sync()]);
    expect(asleep.answers[0]).toEqual({ kind: 'reset', reason: 'too-old' });
    expect(asleep.rows.get('jobs')!.size).toBe(0);
    expect(awake.answers.map(({ kind: answered }) => answered)).toEqual(['delta']);
    expect(delta(awake.answers[0]!).cookie).toBe(awake.cookie);
  });

  it('[S8] what a person may see changes with their rights: by an event, and by the clock alone', async () => {
    const { user } = await harness.tradie({
      subscriptionValidUntil: new Date(harness.now().getTime() + 60_000).toISOString(),
    });
    const device = harness.device(user);
    await device.sync();
    harness.pass(61_000);
    device.answers.length = 0;
    await device.sync();
    expect(device.answers[0]).toEqual({ kind: 'reset', reason: 'view' });
    await device.sync();
    await sql`update users set subscription_valid_until = null where id = ${user.id}`.execute(harness.db.sql);
    device.answers.length = 0;
    await device.sync();
    expect(device.answers.map(({ kind: answered }) => answered)).toEqual(['reset', 'delta']);
  });

  it('[S5][S14] a database restored from a copy: the device starts again and ends equal', async () => {
    const device = harness.device(owner);
    const lost = post({ title: 'Lost with the database' });
    await device.sync([lost]);
    await sql`delete from jobs`.execute(harness.db.sql);
    await sql`delete from sync_change where entity = 'jobs'`.execute(harness.db.sql);
    await sql`delete from sync_mutation`.execute(harness.db.sql);
    await device.sync();
    expect(device.answers.at(-2)).toEqual({ kind: 'reset', reason: 'lineage' });
    expect(device.rows.get('jobs')!.size).toBe(0);
  });
});
