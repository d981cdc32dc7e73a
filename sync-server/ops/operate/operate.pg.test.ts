import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { minute } from '../../../shared/lib/durations.ts';
import type { User } from '../../../shared/tables/index.ts';
import { insertRows } from '../../db/write-rows.ts';
import { readSyncOverview } from '../health/sync-overview.ts';
import { writeDeadLetter } from '../../sync/attempts.ts';
import { makeInterest } from '../../../shared/testing/make.ts';
import { openOperateHarness, token, type OperateHarness } from '../../testing/operate-harness.ts';
import { post } from '../../testing/sync-harness.ts';
import { usualDatabase } from '../../testing/test-db.ts';
import { recordAlerts } from '../../alerts/record-alerts.ts';
import { saveSubscription } from '../../push/subscriptions.ts';

const device = 'device-0001';

describe.each(usualDatabase)('an operator, on %s', (kind) => {
  let harness: OperateHarness;
  let owner: User;
  let other: User;

  beforeEach(async () => {
    harness = await openOperateHarness(kind);
    owner = await harness.homeowner({ email: 'hinemoa@planted.example.nz', firstName: 'Hinemoa' });
    other = await harness.homeowner({
      email: 'other@planted.example.nz',
      firstName: 'Otherperson',
      lastName: 'Elsewhere',
    });
  });
  afterEach(() => harness.close());

  const asAdmin = async (name: string, args: Record<string, unknown>, act = false) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const response = act
      ? await harness.app.call(`/api/admin/${name}`, { method: 'POST', headers, body: JSON.stringify(args) })
      : await harness.app.call(`/api/admin/${name}?${new URLSearchParams(args as Record<string, string>).toString()}`, {
          headers,
        });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  const deadLetterOne = async (mutation = post()) => {
    await writeDeadLetter(harness.parts, owner.id, mutation, new Error('said by the test'));
    return { mutation, of: { userId: owner.id, uid: mutation.uid } };
  };
  const auditLines = async () =>
    (
      await sql<{
        action: string;
        result: string;
        uid: string | null;
        user_id: string | null;
      }>`select action, result, uid, user_id from admin_audit order by id`.execute(harness.db.sql)
    ).rows;
  const exchangeOf = (user: User, body: Record<string, unknown> = {}) =>
    harness.app.call('/api/sync', {
      method: 'POST',
      headers: {
        authorization: `Bearer ${user.id}`,
        'content-type': 'application/json',
        'x-device-id': device,
        'x-request-id': 'phone-0001-r1',
      },
      body: JSON.stringify({
        protocol: 1,
        schema: 1,
        userId: user.id,
        cookie: null,
        shelves: {},
        mutations: [],
        awaiting: [],
        ...body,
      }),
    });

  it('reads, replays and discards dead letters, each with its audit row', async () => {
    const first = await deadLetterOne();
    const second = await deadLetterOne();
    expect(((await asAdmin('parked.list', {})).body as unknown as unknown[]).length).toBe(2);
    expect(await asAdmin('parked.read', first.of)).toMatchObject({
      status: 200,
      body: { name: 'job.post', args: { title: 'Fix the gate' } },
    });
    expect(await asAdmin('parked.replay', first.of, true)).toMatchObject({
      status: 200,
      body: { replayed: first.of.uid },
    });
    expect((await harness.ask(owner)) as unknown).toMatchObject({ puts: { jobs: [{ id: first.mutation.args.id }] } });
    expect(await asAdmin('parked.replay', first.of, true)).toMatchObject({
      status: 404,
      body: { code: 'nothing-parked' },
    });
    expect(await asAdmin('parked.discard', second.of, true)).toMatchObject({ status: 200 });
    expect(await asAdmin('parked.read', second.of)).toMatchObject({ body: { args: null } });
    expect(await asAdmin('parked.replay', second.of, true)).toMatchObject({ status: 404 });
    expect(await asAdmin('parked.discard', { userId: owner.id, uid: 'x' }, true)).toMatchObject({
      status: 400,
      body: { code: 'invalid' },
    });
    expect(
      (await auditLines()).map(({ action, result, uid }) => [action, result, uid === first.of.uid ? 1 : 2]),
    ).toEqual([
      ['parked.read', 'done', 1],
      ['parked.replay', 'done', 1],
      ['parked.replay', 'nothing-parked', 1],
      ['parked.discard', 'done', 2],
      ['parked.read', 'done', 2],
      ['parked.replay', 'nothing-parked', 2],
    ]);
    expect(harness.appLogged.filter((line) => line.includes('an operator acted'))).toHaveLength(6);
  });

  it('reports a replay that is rejected now, or fails still, and keeps the dead letter', async () => {
    const refused = await deadLetterOne(post({ title: '' }));
    expect(await asAdmin('parked.replay', refused.of, true)).toMatchObject({ status: 409, body: { code: 'invalid' } });
    await sql`create function fail() returns trigger language plpgsql as $$ begin raise exception 'said by the test' using errcode = 'XX000'; end $$`.execute(
      harness.db.sql,
    );
    await sql`create trigger fail before insert on jobs for each row execute function fail()`.execute(harness.db.sql);
    const failing = await deadLetterOne();
    expect(await asAdmin('parked.replay', failing.of, true)).toMatchObject({
      status: 409,
      body: { code: 'still-failing' },
    });
    expect(
      ((await asAdmin('parked.list', {})).body as unknown as { replayedAt: unknown }[]).map(
        ({ replayedAt }) => replayedAt,
      ),
    ).toEqual([null, null]);
    expect((await auditLines()).map(({ result }) => result)).toEqual(['invalid', 'fault']);
  });

  it('counts what a device says it has, not what it was sent', async () => {
    const versionAfter = async (cookie: string | null) => {
      const answer = (await (await exchangeOf(owner, { cookie })).json()) as { cookie: string };
      await harness.watch.close();
      const { body } = await asAdmin('person.state', { user: owner.id });
      return {
        cookie: answer.cookie,
        version: (body['devices'] as { version: string | null }[])[0]?.version,
        newest: body['newestVersion'],
      };
    };
    await harness.ask(owner, { mutations: [post()] });
    const first = await versionAfter(null);
    expect(first.version).toBeNull();
    expect((await versionAfter(null)).version).toBeNull();
    const kept = await versionAfter(first.cookie);
    expect(Number(kept.version)).toBeGreaterThanOrEqual(Number(kept.newest));
    expect((await versionAfter(null)).version).toBeNull();
  });

  it('counts a change as failing only while its phone goes on trying', async () => {
    await sql`create function fail() returns trigger language plpgsql as $$ begin raise exception 'said by the test' using errcode = 'XX000'; end $$`.execute(
      harness.db.sql,
    );
    await sql`create trigger fail before insert on jobs for each row execute function fail()`.execute(harness.db.sql);
    const failing = async () => (await readSyncOverview(harness.db, harness.now())).failing;
    await exchangeOf(owner, { mutations: [post()] });
    expect(await failing()).toBe(1);
    harness.pass(61 * minute);
    expect(await failing()).toBe(0);
    expect((await asAdmin('person.state', { user: owner.id })).body).toMatchObject({ failing: [{ attempts: 1 }] });
  });

  it('counts made-up names of mutations as one, in the figures and in their series', async () => {
    const made = Array.from({ length: 50 }, (_, nth) => ({ ...post(), name: `made-up-${nth}` }));
    expect((await exchangeOf(owner, { mutations: [post(), ...made] })).status).toBe(200);
    const { mutations } = await readSyncOverview(harness.db, harness.now());
    expect(mutations).toContainEqual({ name: 'unknown', status: 'refused', code: 'unknown-mutation', count: 50 });
    expect(mutations.map(({ name }) => name).toSorted()).toEqual(['job.post', 'unknown']);
    const metrics = await (
      await harness.app.call('/metrics', { headers: { authorization: `Bearer ${token}` } })
    ).text();
    expect(metrics).toContain(
      'dwang_mutations_decided_24h{name="unknown",status="refused",code="unknown-mutation"} 50',
    );
    expect(metrics).toContain('dwang_mutations_decided_24h{name="job.post",');
    expect(metrics).not.toContain('made-up');
  });

  it('reads the state of one person’s sync, and no personal data', async () => {
    const mutation = post();
    expect(
      (await exchangeOf(owner, { mutations: [mutation, { ...mutation, uid: randomUUID(), name: 'job.fly' }] })).status,
    ).toBe(200);
    await exchangeOf(owner, { cookie: 'bm8' });
    await harness.watch.close();
    await deadLetterOne();
    const { body } = await asAdmin('person.state', { user: owner.id });
    expect(body).toMatchObject({
      person: { id: owner.id },
      devices: [{ device, exchanges: '2', protocol: 1, lastReset: 'unreadable', view: `${owner.id}:-:false` }],
      outcomes: expect.arrayContaining([
        expect.objectContaining({ name: 'job.post', status: 'applied', count: 1 }),
        expect.objectContaining({ name: 'job.fly', status: 'refused', code: 'unknown-mutation' }),
      ]),
      parked: [{ name: 'job.post' }],
    });
    const text = JSON.stringify(body);
    for (const secret of [owner.email, owner.firstName, owner.lastName, 'Fix the gate'])
      expect(text).not.toContain(secret);
    expect((await asAdmin('person.state', { user: randomUUID() })).body).toMatchObject({ code: 'nobody' });
    const sync = (await (
      await harness.app.call('/health/sync', { headers: { authorization: `Bearer ${token}` } })
    ).json()) as unknown;
    expect(sync).toMatchObject({
      instance: { listeners: 3, oldestUnsentPokeMs: 0, exchange: { failures: 0, p95: expect.any(Number) } },
      sync: {
        devices: { lastFiveMinutes: 1, people: 1 },
        parked: 1,
        headVersion: expect.any(String),
        tombstoneFloor: '0',
        changeTable: { rows: expect.any(Number), bytes: expect.any(Number) },
        mutations: expect.arrayContaining([{ name: 'job.post', status: 'applied', code: null, count: 1 }]),
      },
    });
  });

  it('exports all data of a person, and none of others', async () => {
    const job = await harness.job(owner, { title: 'Planted title', address: '1 Planted Street' });
    const { user: tradieUser, tradie } = await harness.tradie({
      email: 'tradie@planted.example.nz',
      lastName: 'Tradiesurname',
    });
    await insertRows(harness.db.sql, 'interests', [
      makeInterest({
        jobId: job.id,
        tradieId: tradie.id,
        userId: tradieUser.id,
        ownerId: owner.id,
        note: 'Planted note of the tradie',
      }),
    ]);
    await harness.job(other, { title: 'Job of somebody else' });
    await harness.ask(owner, { mutations: [post({ title: 'Planted second' })] });
    await deadLetterOne(post({ title: 'Planted parked' }));
    const planted = { p256dh: 'planted key', auth: 'planted secret' };
    for (const { id } of [owner, other]) {
      const endpoint = `https://fcm.googleapis.com/fcm/send/${id}`;
      await saveSubscription(harness.db.sql, id, { ...planted, endpoint }, harness.now());
    }
    const alert = { userId: owner.id, kind: 'interest' as const, subjectId: job.id, jobId: job.id };
    await recordAlerts(harness.db, [alert, { ...alert, userId: other.id }], harness.now());
    const { status, body } = await asAdmin('person.export', { user: 'HINEMOA@planted.example.nz' }, true);
    expect(status).toBe(200);
    expect(body).toMatchObject({ phonesToAlert: [{}], alerts: [{ kind: 'interest', job_id: job.id }] });
    const text = JSON.stringify(body);
    // A phone's address is a capability: its holder may write to it.
    for (const secret of ['planted key', 'planted secret', 'fcm.googleapis.com']) expect(text).not.toContain(secret);
    for (const own of [owner.email, 'Hinemoa', 'Planted title', '1 Planted Street', 'Planted second', 'Planted parked'])
      expect(text).toContain(own);
    for (const others of [
      other.email,
      'Otherperson',
      other.id,
      'Job of somebody else',
      tradieUser.email,
      tradieUser.id,
      tradie.id,
      'Tradiesurname',
      tradie.businessName,
      'Planted note of the tradie',
    ])
      expect(text).not.toContain(others);
    const ofTradie = JSON.stringify((await asAdmin('person.export', { user: tradieUser.id }, true)).body);
    for (const own of [tradieUser.email, tradie.businessName, 'Planted note of the tradie'])
      expect(ofTradie).toContain(own);
    for (const others of [owner.email, 'Hinemoa', owner.id, 'Planted title']) expect(ofTradie).not.toContain(others);
    expect(harness.appLogged.join('')).not.toContain('planted.example.nz');
  });
});
