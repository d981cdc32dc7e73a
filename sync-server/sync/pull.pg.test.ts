import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { maxMutations, type ExchangeAnswer } from '../../shared/protocol/exchange.ts';
import type { Tradie, User } from '../../shared/tables/index.ts';
import { makeJob, makeTestId } from '../../shared/testing/make.ts';
import { insertRows } from '../db/write-rows.ts';
import { categoryId, locationId, openSyncHarness, post, sent, type SyncHarness } from '../testing/sync-harness.ts';
import { usualDatabase } from '../testing/test-db.ts';
import { unpackCookie } from './cookie.ts';
import { pull } from './pull.ts';
import { tombstoneMs } from './purge-tombstones.ts';

describe.each(usualDatabase)('a pull of what changed, on %s', (kind) => {
  let harness: SyncHarness;
  let owner: User, person: User, tradie: Tradie;
  beforeEach(async () => {
    harness = await openSyncHarness(kind, { pageSize: 10 });
    owner = await harness.homeowner();
    ({ user: person, tradie } = await harness.tradie());
  });
  afterEach(() => harness.close());

  const express = (jobId: string) => sent('interest.express', { id: makeTestId(), jobId, note: 'Thursday?' });
  const delta = (answer: ExchangeAnswer) => {
    if (answer.kind !== 'delta') throw new Error(`reset: ${answer.reason}`);
    return answer;
  };

  it('[S4][P1] a first load brings all rows of one’s own and nothing else, and then nothing new', async () => {
    const job = await harness.job(owner);
    await harness.job(await harness.homeowner());
    const device = harness.device(owner);
    const first = delta(await device.sync());
    expect(first.puts).toEqual({ users: [owner], jobs: [job] });
    expect(first.removes).toEqual({});
    const next = delta(await device.sync());
    expect(next).toMatchObject({ puts: {}, removes: {}, more: false, cookie: first.cookie });
  });

  it('[P1][I6] the answer to a mutation carries its outcome and its effect together', async () => {
    const device = harness.device(owner);
    await device.sync();
    const mutation = post({ budgetMax: 99.5 });
    const answer = delta(await device.sync([mutation]));
    expect(answer.outcomes).toEqual([{ uid: mutation.uid, status: 'applied' }]);
    expect(answer.puts.jobs).toMatchObject([
      { id: mutation.args.id, userId: owner.id, budgetMax: 99.5, createdAt: harness.now().toISOString() },
    ]);
    expect(Object.keys(answer.puts)).toEqual(['jobs']);
  });

  it('[P3] a full outbox of interests is answered in one page', async () => {
    const whole = await openSyncHarness(kind);
    const [homeowner, { user: keen }] = [await whole.homeowner(), await whole.tradie()];
    const jobs = Array.from({ length: maxMutations }, () => makeJob({ userId: homeowner.id, locationId, categoryId }));
    await whole.db.transaction((tx) => insertRows(tx, 'jobs', jobs));
    const phone = whole.device(keen);
    await phone.sync();
    const answers = phone.answers.length;
    await phone.sync(jobs.map(({ id }) => express(id)));
    expect(phone.answers.slice(answers)).toMatchObject([{ kind: 'delta', more: false }]);
    expect([phone.outcomes.size, phone.rows.get('interests')?.size]).toEqual([maxMutations, maxMutations]);
    await whole.close();
  });

  it('[S4] an interest brings the owner the tradie with contacts, and the tradie the job, also once it is closed', async () => {
    const job = await harness.job(owner);
    const [home, phone, stranger] = [
      harness.device(owner),
      harness.device(person),
      harness.device((await harness.tradie()).user),
    ];
    for (const device of [home, phone, stranger]) await device.sync();
    expect(phone.row('jobs', job.id)).toBeUndefined();
    await phone.sync([express(job.id)]);
    await home.sync();
    expect(home.row('tradies', tradie.id)).toEqual(tradie);
    expect(phone.row('jobs', job.id)).toMatchObject({ title: job.title, interestCount: 1, userId: null });
    await home.sync([sent('job.close', { id: job.id })]);
    await phone.sync();
    expect(phone.row('jobs', job.id)).toMatchObject({ status: 'closed', userId: null });
    await stranger.sync();
    expect([
      stranger.rows.get('jobs')!.size,
      stranger.rows.get('interests')!.size,
      stranger.rows.get('tradies')!.size,
    ]).toEqual([0, 0, 1]);
  });

  it('[S4][I8] the owner’s tick stays the owner’s', async () => {
    const job = await harness.job(owner);
    const [home, phone] = [harness.device(owner), harness.device(person)];
    await phone.sync([express(job.id)]);
    await home.sync();
    const [interest] = [...home.rows.get('interests')!.values()];
    expect(interest).toMatchObject({ ownerId: owner.id, contactedAt: null });
    await home.sync([sent('interest.tick', { id: interest!.id, contacted: true })]);
    expect(home.row('interests', interest!.id)).toMatchObject({ contactedAt: harness.now().toISOString() });
    await phone.sync();
    expect(phone.row('interests', interest!.id)).toMatchObject({ note: 'Thursday?', ownerId: null, contactedAt: null });
  });

  it('[S4] a person who may see a row no more gets its removal, once; one who never could gets nothing', async () => {
    const next = await harness.homeowner();
    const job = await harness.job(owner);
    const [before, after, stranger] = [harness.device(owner), harness.device(next), harness.device(person)];
    for (const device of [before, after, stranger]) await device.sync();
    await sql`update jobs set user_id = ${next.id} where id = ${job.id}`.execute(harness.db.sql);
    for (const device of [before, after, stranger]) await device.sync();
    expect([before.row('jobs', job.id), after.row('jobs', job.id)?.id]).toEqual([undefined, job.id]);
    expect(delta(before.answers.at(-1)!).removes).toEqual({ jobs: [job.id] });
    expect(JSON.stringify(stranger.answers)).not.toContain(job.id);
    await sql`delete from jobs where id = ${job.id}`.execute(harness.db.sql);
    await after.sync();
    expect(after.rows.get('jobs')!.size).toBe(0);
  });

  it('[P3][P4] pages are cut between commits; outcomes and collections come with the last; changes meanwhile are not missed', async () => {
    const device = harness.device(owner);
    await device.sync();
    const big = Array.from({ length: 23 }, () => makeJob({ userId: owner.id }));
    for (let n = 0; n < 8; n += 1)
      await insertRows(
        harness.db.sql,
        'jobs',
        Array.from({ length: 3 }, () => makeJob({ userId: owner.id })),
      );
    await insertRows(harness.db.sql, 'jobs', big);
    await insertRows(harness.db.sql, 'jobs', [makeJob({ userId: owner.id })]);
    const mutation = post();
    device.answers.length = 0;
    await device.sync([mutation]);
    const answers = device.answers.map(delta);
    expect(answers.map(({ puts }) => puts.jobs?.length)).toEqual([9, 9, 6, 23, 2]);
    expect(answers.map(({ more }) => more)).toEqual([true, true, true, true, false]);
    expect(answers.map(({ outcomes }) => outcomes.length)).toEqual([0, 0, 0, 0, 1]);
    expect(device.rows.get('jobs')!.size).toBe(24 + 23 + 1 + 1);
  });

  it('[P6][S5] a first load of several pages, with removals and a purge in the middle, ends complete', async () => {
    for (let n = 0; n < 6; n += 1)
      await insertRows(
        harness.db.sql,
        'jobs',
        Array.from({ length: 5 }, () => makeJob({ userId: owner.id })),
      );
    await sql`delete from jobs where id in (select id from jobs order by id limit 3)`.execute(harness.db.sql);
    const first = delta(await harness.ask(owner));
    expect(first.more).toBe(true);
    expect(first.removes).toEqual({});
    const held = new Set(first.puts.jobs!.map(({ id }) => id));
    const [gone] = held;
    await sql`delete from jobs where id = ${gone}`.execute(harness.db.sql);
    harness.pass(tombstoneMs / 2);
    let cookie = first.cookie;
    for (let more = true; more;) {
      // The floor rises above the first pages' versions, yet not above the head at which the load began.
      await sql`update sync_meta set tombstone_floor = ${unpackCookie(first.cookie)!.h!}`.execute(harness.db.sql);
      const page = delta(await harness.ask(owner, { cookie }));
      for (const { id } of page.puts.jobs ?? []) held.add(id);
      for (const id of page.removes.jobs ?? []) held.delete(id);
      ({ cookie, more } = page);
    }
    const { rows } = await sql<{ id: string }>`select id from jobs`.execute(harness.db.sql);
    expect([...held].toSorted()).toEqual(rows.map(({ id }) => id).toSorted());
    expect(unpackCookie(cookie)?.h).toBeUndefined();
  });

  it('[P4] a device that never saw the answer asks for the outcome, and gets its own only', async () => {
    const mutation = post();
    await harness.ask(owner, { mutations: [mutation] });
    expect(delta(await harness.ask(owner, { awaiting: [mutation.uid, makeTestId()] })).outcomes).toEqual([
      { uid: mutation.uid, status: 'applied' },
    ]);
    expect(delta(await harness.ask(person, { awaiting: [mutation.uid] })).outcomes).toEqual([]);
  });

  it('[S1] a uid used for something else is answered as such', async () => {
    const mutation = post();
    await harness.ask(owner, { mutations: [mutation] });
    const answer = delta(await harness.ask(owner, { mutations: [{ ...mutation, args: {} }] }));
    expect(answer.outcomes).toMatchObject([{ uid: mutation.uid, status: 'refused', code: 'uid-reused' }]);
  });

  it('[S1, P4] also where there is more to come: a page that only asks for outcomes does not say which mutation it meant', async () => {
    const mutation = post();
    await harness.ask(owner, { mutations: [mutation] });
    for (let n = 0; n < 12; n += 1) await harness.job(owner);
    const first = delta(await harness.ask(owner, { mutations: [post(), { ...mutation, args: {} }] }));
    expect(first.more).toBe(true);
    expect(first.outcomes).toMatchObject([{ uid: mutation.uid, status: 'refused', code: 'uid-reused' }]);
  });

  it('[S1, P4] a first page names what is not decided yet: by the last page its uid may stand for something else', async () => {
    for (let n = 0; n < 12; n += 1) await harness.job(owner);
    const [decided, waiting] = [post(), post()];
    await harness.ask(owner, { mutations: [decided] });
    const pushed = { stopped: { uid: waiting.uid, retryAfterMs: 1_000 }, reused: [], restoring: [] };
    const request = { protocol: 1, schema: 1, cookie: null, shelves: {}, mutations: [decided, waiting], awaiting: [] };
    const first = delta((await pull(harness.parts, owner.id, request, pushed)).answer);
    expect([first.more, first.outcomes, first.undecided]).toEqual([true, [], [waiting.uid]]);
  });

  it('[S1] also where the exchange itself could not decide it, and another use of the uid came first', async () => {
    const mutation = post();
    await harness.ask(owner, { mutations: [mutation] });
    const request = {
      protocol: 1,
      schema: 1,
      cookie: null,
      shelves: {},
      mutations: [{ ...mutation, args: {} }],
      awaiting: [],
    };
    const { answer } = await pull(harness.parts, owner.id, request, {
      stopped: { uid: mutation.uid, retryAfterMs: 1_000 },
      reused: [],
      restoring: [],
    });
    expect(delta(answer).outcomes).toMatchObject([{ uid: mutation.uid, status: 'refused', code: 'uid-reused' }]);
  });

  it('[I8] no answer to a tradie contains the homeowner’s e-mail, name or user id', async () => {
    const secret = await harness.homeowner({
      email: 'hidden.person@example.nz',
      firstName: 'Xanthippe',
      lastName: 'Quillfeather',
    });
    const job = await harness.job(secret);
    const phone = harness.device(person);
    const home = harness.device(secret);
    await phone.sync([
      express(job.id),
      express(job.id),
      sent('job.close', { id: job.id }),
      sent('job.edit', { id: job.id, set: { title: 'x' }, base: {} }),
    ]);
    await home.sync();
    const [interest] = [...home.rows.get('interests')!.values()];
    await home.sync([
      sent('interest.tick', { id: interest!.id, contacted: true }),
      sent('job.edit', { id: job.id, set: { title: 'New' }, base: { title: job.title } }),
    ]);
    await phone.sync([
      sent('interest.tick', { id: interest!.id, contacted: true }),
      sent('profile.edit', { id: tradie.id, set: { description: 'y' }, base: { description: tradie.description } }),
    ]);
    await home.sync([sent('job.close', { id: job.id })]);
    await phone.sync([express(job.id)]);
    harness.pass(1_000);
    await sql`update users set subscription_status = 'canceled' where id = ${person.id}`.execute(harness.db.sql);
    await phone.sync();
    expect(phone.row('jobs', job.id)).toMatchObject({ title: 'New', status: 'closed' });
    const everything = JSON.stringify(phone.answers);
    expect(everything).toContain(job.id);
    for (const hidden of ['hidden.person', 'Xanthippe', 'Quillfeather', secret.id])
      expect(everything).not.toContain(hidden);
    // The walk would notice: the owner's own answers hold all of it.
    for (const hidden of ['hidden.person', 'Xanthippe', 'Quillfeather', secret.id])
      expect(JSON.stringify(home.answers)).toContain(hidden);
  });
});
