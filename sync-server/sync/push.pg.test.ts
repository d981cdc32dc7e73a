import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { User } from '../../shared/tables/index.ts';
import { makeTestId } from '../../shared/testing/make.ts';
import { openPushHarness, type PushHarness } from '../testing/push-harness.ts';
import { post, sent, withFaults } from '../testing/sync-harness.ts';
import { usualDatabase } from '../testing/test-db.ts';
import { ProfileMissing } from './read-actor.ts';
import { push } from './push.ts';

describe.each(usualDatabase)('pushing mutations, on %s', (kind) => {
  let harness: PushHarness;
  let owner: User;
  beforeEach(async () => {
    harness = await openPushHarness(kind);
    ({ owner } = harness);
  });
  afterEach(() => harness.close());

  it('[S1][I1] a mutation sent again, whole or with others, happens once', async () => {
    const [one, other] = [post(), post()];
    await harness.push([one]);
    await harness.push([one]);
    await harness.push([one, other, one]);
    expect(await harness.jobs()).toHaveLength(2);
    expect(await harness.outcomesOf([one, other])).toEqual([one, other].map(({ uid }) => ({ uid, status: 'applied' })));
  });

  it('[S1][I1] repeats that race, in whatever mixture, happen once and all get the same answer', async () => {
    const mutations = Array.from({ length: 12 }, () => post());
    const closing = mutations.map(({ args }) => sent('job.close', { id: args.id }));
    const everything = mutations.flatMap((mutation, at) => [mutation, closing[at]!]);
    // On PostgreSQL the sixteen overlap; PGlite has one connection and takes them one after the other.
    const racing = Array.from({ length: 16 }, (_, at) =>
      harness.push(at % 2 === 0 ? everything : everything.slice(0, 2 + at)),
    );
    for (const { stopped, reused } of await Promise.all(racing))
      expect({ stopped, reused }).toEqual({ stopped: undefined, reused: [] });
    expect((await harness.jobs()).map(({ status }) => status)).toEqual(Array.from({ length: 12 }, () => 'closed'));
    expect(new Set((await harness.outcomesOf(everything)).map((outcome) => outcome?.status))).toEqual(
      new Set(['applied']),
    );
    const { rows } = await sql`select 1 from sync_mutation`.execute(harness.db.sql);
    expect(rows).toHaveLength(24);
  });

  it('[S1] a uid that comes back with other args is rejected and logged, and the first mutation stays decided', async () => {
    const first = post({ title: 'First' });
    await harness.push([first]);
    const { reused } = await harness.push([
      { ...first, args: { ...first.args, title: 'Second' } },
      sent('job.close', { id: first.args.id }, first.uid.toUpperCase()),
    ]);
    expect(reused).toMatchObject([{ uid: first.uid, status: 'refused', code: 'uid-reused' }]);
    expect(await harness.jobs()).toMatchObject([{ title: 'First', status: 'active' }]);
    expect(await harness.outcomesOf([first])).toMatchObject([{ status: 'applied' }]);
    expect(harness.logged.join()).toContain('other args');
    expect(harness.logged.join()).not.toContain('Second');
  });

  it('[S1] the same args in another order of keys are the same args', async () => {
    const first = post();
    await harness.push([first]);
    const turned = Object.fromEntries(Object.entries(first.args).toReversed());
    expect((await harness.push([{ ...first, args: turned }])).reused).toEqual([]);
  });

  it('[S1] one person’s uid is not another’s', async () => {
    const other = await harness.homeowner();
    const mine = post();
    const theirs = post({}, mine.uid);
    await harness.push([mine]);
    await harness.push([theirs], other);
    expect(await harness.jobs()).toHaveLength(2);
  });

  it('[S2][I2] mutations are decided in their order, each on the result of the ones before it', async () => {
    const mine = post({ title: 'A' });
    const id = mine.args.id;
    const edits = ['B', 'C', 'D'].map((title, at) =>
      sent('job.edit', { id, set: { title }, base: { title: 'ABC'[at] } }),
    );
    const late = sent('job.edit', { id, set: { title: 'E' }, base: { title: 'D' } });
    const all = [mine, ...edits, sent('job.close', { id }), late];
    await harness.push(all);
    expect(await harness.jobs()).toMatchObject([{ title: 'D', status: 'closed' }]);
    expect((await harness.outcomesOf(all)).map((outcome) => outcome?.code ?? outcome?.status)).toEqual([
      'applied',
      'applied',
      'applied',
      'applied',
      'applied',
      'job-closed',
    ]);
  });

  it('[S2] a rejection rolls back its own mutation only, and is stored with its fields', async () => {
    const all = [
      post({ title: '  ' }),
      post({ title: 'Good' }),
      post({ categoryId: 'wizard' }),
      sent('job.fly', {}),
      sent('job.close', { id: makeTestId() }),
      sent('job.close', 7),
    ];
    await harness.push(all);
    expect((await harness.jobs()).map(({ title }) => title)).toEqual(['Good']);
    const outcomes = await harness.outcomesOf(all);
    expect(outcomes.map((outcome) => outcome?.code ?? outcome?.status)).toEqual([
      'invalid',
      'applied',
      'invalid',
      'unknown-mutation',
      'not-found',
      'invalid',
    ]);
    expect(outcomes[0]?.fields).toEqual({ title: 'Title is required.' });
    expect(outcomes[2]?.fields).toEqual({ categoryId: 'Choose a category from the list.' });
    await harness.push(all);
    expect(await harness.outcomesOf(all)).toEqual(outcomes);
  });

  it.each([
    ['a character PostgreSQL cannot hold', { title: 'nul \u0000 here' }],
    ['half a character', { description: 'half \ud83e here' }],
  ])('[S2] %s is the person’s to correct, and affects no other mutation', async (_, bad) => {
    const all = [post({ title: 'Before' }), post(bad), post({ title: 'Behind' }), sent('na\u0000me', {})];
    expect(await harness.push(all)).toEqual({ stopped: undefined, reused: [], restoring: [] });
    expect((await harness.jobs()).map(({ title }) => title)).toEqual(['Before', 'Behind']);
    expect((await harness.outcomesOf(all)).map((outcome) => outcome?.code ?? outcome?.status)).toEqual([
      'applied',
      'invalid',
      'applied',
      'unknown-mutation',
    ]);
  });

  it('[I2] an interest is decided by the rights at the time it is pushed', async () => {
    const { user, tradie } = await harness.tradie({ subscriptionStatus: 'canceled' });
    const job = await harness.job(owner);
    const express = () => sent('interest.express', { id: makeTestId(), jobId: job.id, note: 'Thursday?' });
    const lapsed = express();
    await harness.push([lapsed], user);
    expect(await harness.outcomesOf([lapsed], user)).toMatchObject([
      { status: 'refused', code: 'subscription-required' },
    ]);
    await sql`update users set subscription_status = 'active' where id = ${user.id}`.execute(harness.db.sql);
    const again = [express(), express()];
    await harness.push(again, user);
    expect(await harness.outcomesOf(again, user)).toMatchObject([{ status: 'applied' }, { status: 'applied' }]);
    const { rows } = await sql`select tradie_id, owner_id, note from interests`.execute(harness.db.sql);
    expect(rows).toEqual([{ tradie_id: tradie.id, owner_id: owner.id, note: 'Thursday?' }]);
    expect((await sql<{ n: number }>`select interest_count as n from jobs`.execute(harness.db.sql)).rows).toEqual([
      { n: 1 },
    ]);
  });

  it('many tradies who answer one job at once are all counted', async () => {
    const job = await harness.job(owner);
    const tradies = [];
    for (let n = 0; n < 8; n += 1) tradies.push(await harness.tradie());
    await Promise.all(
      tradies.map(({ user }) => harness.push([sent('interest.express', { id: makeTestId(), jobId: job.id })], user)),
    );
    expect((await sql<{ n: number }>`select interest_count as n from jobs`.execute(harness.db.sql)).rows).toEqual([
      { n: 8 },
    ]);
  });

  it('two devices that make the same row at once: one makes it, the other finds it', async () => {
    const id = makeTestId();
    const other = await harness.homeowner();
    const devices = Array.from({ length: 6 }, (_, at) => ({
      user: at % 2 === 0 ? owner : other,
      mutation: post({ id }),
    }));
    for (const pushed of await Promise.all(devices.map(({ user, mutation }) => harness.push([mutation], user))))
      expect(pushed.stopped).toBeUndefined();
    expect(await harness.jobs()).toHaveLength(1);
    const {
      rows: [winner],
    } = await sql<{ user_id: string }>`select user_id from jobs`.execute(harness.db.sql);
    for (const { user, mutation } of devices) {
      const [outcome] = await harness.outcomesOf([mutation], user);
      expect(outcome?.code ?? outcome?.status).toBe(user.id === winner!.user_id ? 'applied' : 'already-exists');
    }
  });

  it('500 posts take a handful of statements, and so do 500 edits and 500 interests', async () => {
    const counted = async (mutations: Parameters<typeof push>[2], user = owner) => {
      let statements = 0;
      const counting = withFaults(harness.db, (point) => {
        if (typeof point === 'object' && 'before' in point) statements += 1;
        return undefined;
      });
      expect(await harness.push(mutations, user, counting)).toEqual({
        stopped: undefined,
        reused: [],
        restoring: [],
      });
      expect(new Set((await harness.outcomesOf(mutations, user)).map((outcome) => outcome?.status))).toEqual(
        new Set(['applied']),
      );
      return statements;
    };
    const posts = Array.from({ length: 500 }, () => post());
    expect(await counted(posts)).toBeLessThanOrEqual(10);
    const edits = posts.map(({ args }, at) =>
      sent('job.edit', { id: args.id, set: { title: `Gate ${at}` }, base: { title: args.title } }),
    );
    expect(await counted(edits)).toBeLessThanOrEqual(10);
    const { user } = await harness.tradie();
    const interests = posts.map(({ args }) => sent('interest.express', { id: makeTestId(), jobId: args.id }));
    expect(await counted(interests, user)).toBeLessThanOrEqual(12);
    expect((await sql<{ n: number }>`select count(*)::int as n from interests`.execute(harness.db.sql)).rows).toEqual([
      { n: 500 },
    ]);
    expect(new Set((await harness.jobs()).map(({ title }) => title)).size).toBe(500);
  });

  it('a person without a profile cannot push anything', async () => {
    await expect(push(harness.parts, { userId: randomUUID() }, [post()])).rejects.toThrow(ProfileMissing);
    expect(await harness.jobs()).toEqual([]);
  });
});
