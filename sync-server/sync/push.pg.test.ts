import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { day } from '../../shared/lib/durations.ts';
import type { Outcome } from '../../shared/protocol/exchange.ts';
import type { User } from '../../shared/tables/index.ts';
import { makeTestId } from '../../shared/testing/make.ts';
import {
  openSyncHarness,
  post,
  sent,
  sqlError,
  withFaults,
  type FaultPoint,
  type SyncHarness,
} from '../testing/sync-harness.ts';
import { databases } from '../testing/test-db.ts';
import { deadLetterAfter } from './attempts.ts';
import { readOutcomes } from './claims.ts';
import { ProfileMissing } from './read-actor.ts';
import { replayDeadLetter } from './replay-dead-letter.ts';
import { push } from './push.ts';

describe.each(databases)('pushing mutations, on %s', (kind) => {
  let harness: SyncHarness;
  let owner: User;
  beforeEach(async () => {
    harness = await openSyncHarness(kind);
    owner = await harness.homeowner();
  });
  afterEach(() => harness.close());

  const jobs = async () =>
    (
      await sql<{
        id: string;
        title: string;
        status: string;
        images: string[];
      }>`select id, title, status, images from jobs order by title, id`.execute(harness.db.sql)
    ).rows;
  const outcomesOf = async (mutations: readonly { uid: string }[], user = owner): Promise<(Outcome | undefined)[]> => {
    const found = (
      await readOutcomes(
        harness.db.sql,
        user.id,
        mutations.map(({ uid }) => uid),
      )
    ).map(({ outcome }) => outcome);
    return mutations.map(({ uid }) => found.find((outcome) => outcome.uid === uid));
  };
  const takeIn = (
    mutations: Parameters<typeof push>[2],
    user = owner,
    database = harness.db as Parameters<typeof push>[0]['database'],
  ) => push({ ...harness.parts, database }, user.id, mutations);

  it('[S1][I1] a mutation sent again, whole or with others, happens once', async () => {
    const [one, other] = [post(), post()];
    await takeIn([one]);
    await takeIn([one]);
    await takeIn([one, other, one]);
    expect(await jobs()).toHaveLength(2);
    expect(await outcomesOf([one, other])).toEqual([one, other].map(({ uid }) => ({ uid, status: 'applied' })));
  });

  it('[S1][I1] repeats that race, in whatever mixture, happen once and all get the same answer', async () => {
    const mutations = Array.from({ length: 12 }, () => post());
    const closing = mutations.map(({ args }) => sent('job.close', { id: args.id }));
    const everything = mutations.flatMap((mutation, at) => [mutation, closing[at]!]);
    // On PostgreSQL the sixteen overlap; PGlite has one connection and takes them one after the other.
    const racing = Array.from({ length: 16 }, (_, at) =>
      takeIn(at % 2 === 0 ? everything : everything.slice(0, 2 + at)),
    );
    for (const { stopped, reused } of await Promise.all(racing))
      expect({ stopped, reused }).toEqual({ stopped: undefined, reused: [] });
    expect((await jobs()).map(({ status }) => status)).toEqual(Array.from({ length: 12 }, () => 'closed'));
    expect(new Set((await outcomesOf(everything)).map((outcome) => outcome?.status))).toEqual(new Set(['applied']));
    const { rows } = await sql`select 1 from sync_mutation`.execute(harness.db.sql);
    expect(rows).toHaveLength(24);
  });

  it('[S1] a uid that comes back with other args is rejected and logged, and the first mutation stays decided', async () => {
    const first = post({ title: 'First' });
    await takeIn([first]);
    const { reused } = await takeIn([
      { ...first, args: { ...first.args, title: 'Second' } },
      sent('job.close', { id: first.args.id }, first.uid.toUpperCase()),
    ]);
    expect(reused).toMatchObject([{ uid: first.uid, status: 'refused', code: 'uid-reused' }]);
    expect(await jobs()).toMatchObject([{ title: 'First', status: 'active' }]);
    expect(await outcomesOf([first])).toMatchObject([{ status: 'applied' }]);
    expect(harness.logged.join()).toContain('other args');
    expect(harness.logged.join()).not.toContain('Second');
  });

  it('[S1] the same args in another order of keys are the same args', async () => {
    const first = post();
    await takeIn([first]);
    const turned = Object.fromEntries(Object.entries(first.args).toReversed());
    expect((await takeIn([{ ...first, args: turned }])).reused).toEqual([]);
  });

  it('[S1] one person’s uid is not another’s', async () => {
    const other = await harness.homeowner();
    const mine = post();
    const theirs = post({}, mine.uid);
    await takeIn([mine]);
    await takeIn([theirs], other);
    expect(await jobs()).toHaveLength(2);
  });

  it('[S2][I2] mutations are decided in their order, each on the result of the ones before it', async () => {
    const mine = post({ title: 'A' });
    const id = mine.args.id;
    const edits = ['B', 'C', 'D'].map((title, at) =>
      sent('job.edit', { id, set: { title }, base: { title: 'ABC'[at] } }),
    );
    const late = sent('job.edit', { id, set: { title: 'E' }, base: { title: 'D' } });
    const all = [mine, ...edits, sent('job.close', { id }), late];
    await takeIn(all);
    expect(await jobs()).toMatchObject([{ title: 'D', status: 'closed' }]);
    expect((await outcomesOf(all)).map((outcome) => outcome?.code ?? outcome?.status)).toEqual([
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
    await takeIn(all);
    expect((await jobs()).map(({ title }) => title)).toEqual(['Good']);
    const outcomes = await outcomesOf(all);
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
    await takeIn(all);
    expect(await outcomesOf(all)).toEqual(outcomes);
  });

  it.each([
    ['a character PostgreSQL cannot hold', { title: 'nul \u0000 here' }],
    ['half a character', { description: 'half \ud83e here' }],
  ])('[S2] %s is the person’s to correct, and affects no other mutation', async (_, bad) => {
    const all = [post({ title: 'Before' }), post(bad), post({ title: 'Behind' }), sent('na\u0000me', {})];
    expect(await takeIn(all)).toEqual({ stopped: undefined, reused: [] });
    expect((await jobs()).map(({ title }) => title)).toEqual(['Before', 'Behind']);
    expect((await outcomesOf(all)).map((outcome) => outcome?.code ?? outcome?.status)).toEqual([
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
    await takeIn([lapsed], user);
    expect(await outcomesOf([lapsed], user)).toMatchObject([{ status: 'refused', code: 'subscription-required' }]);
    await sql`update users set subscription_status = 'active' where id = ${user.id}`.execute(harness.db.sql);
    const again = [express(), express()];
    await takeIn(again, user);
    expect(await outcomesOf(again, user)).toMatchObject([{ status: 'applied' }, { status: 'applied' }]);
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
      tradies.map(({ user }) => takeIn([sent('interest.express', { id: makeTestId(), jobId: job.id })], user)),
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
    for (const pushed of await Promise.all(devices.map(({ user, mutation }) => takeIn([mutation], user))))
      expect(pushed.stopped).toBeUndefined();
    expect(await jobs()).toHaveLength(1);
    const {
      rows: [winner],
    } = await sql<{ user_id: string }>`select user_id from jobs`.execute(harness.db.sql);
    for (const { user, mutation } of devices) {
      const [outcome] = await outcomesOf([mutation], user);
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
      expect(await takeIn(mutations, user, counting)).toEqual({ stopped: undefined, reused: [] });
      expect(new Set((await outcomesOf(mutations, user)).map((outcome) => outcome?.status))).toEqual(
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
    expect(new Set((await jobs()).map(({ title }) => title)).size).toBe(500);
  });

  it('a person without a profile cannot push anything', async () => {
    await expect(push(harness.parts, randomUUID(), [post()])).rejects.toThrow(ProfileMissing);
    expect(await jobs()).toEqual([]);
  });

  describe('faults', () => {
    const mixture = () => {
      const mine = post({ title: 'A' });
      const id = mine.args.id;
      return [
        mine,
        post({ title: '' }),
        sent('job.edit', { id, set: { title: 'B' }, base: { title: 'A' } }),
        post({ title: 'C' }),
        sent('job.close', { id }),
      ];
    };
    const finished = [
      ['B', 'closed'],
      ['C', 'active'],
    ];
    const decided = ['applied', 'invalid', 'applied', 'applied', 'applied'];
    const expectFinished = async (all: ReturnType<typeof mixture>) => {
      expect((await jobs()).map(({ title, status }) => [title, status])).toEqual(finished);
      expect((await outcomesOf(all)).map((outcome) => outcome?.code ?? outcome?.status)).toEqual(decided);
    };
    /** Every point of an undisturbed run. */
    const pointsOf = async (): Promise<FaultPoint[]> => {
      const points: FaultPoint[] = [];
      const other = await harness.homeowner();
      await takeIn(
        mixture(),
        other,
        withFaults(harness.db, (point) => void points.push(point)),
      );
      await sql`delete from jobs`.execute(harness.db.sql);
      return points;
    };

    it('[S2][I1][I3] a transient fault at any statement, before or after it ran or at COMMIT, loses nothing and doubles nothing', async () => {
      const points = await pointsOf();
      expect(points.length).toBeGreaterThan(12);
      for (const state of ['40001', '08006'])
        for (const [index] of points.entries()) {
          await sql`delete from jobs`.execute(harness.db.sql);
          const all = mixture();
          let reached = 0;
          const once = withFaults(harness.db, () => (reached++ === index ? sqlError(state) : undefined));
          expect((await takeIn(all, owner, once)).stopped, `at point ${index}`).toBeUndefined();
          expect(reached).toBeGreaterThan(index);
          await expectFinished(all);
        }
    });

    it('[S2][I3] a transient fault that persists stops the request and leaves everything for the next', async () => {
      for (const [index, point] of (await pointsOf()).entries()) {
        await sql`delete from jobs`.execute(harness.db.sql);
        const all = mixture();
        let reached = 0;
        const down = withFaults(harness.db, () => (reached++ >= index ? sqlError('57P01') : undefined));
        const { stopped } = await takeIn(all, owner, down);
        expect(stopped, JSON.stringify(point)).toMatchObject({
          uid: expect.any(String) as string,
          retryAfterMs: 2_000,
        });
        expect((await takeIn(all)).stopped).toBeUndefined();
        await expectFinished(all);
      }
    });

    /** A database that fails whenever it is to write a job of this title, as a bug of ours might. */
    const allergicTo = async (title: string, state = 'XX000') => {
      await sql
        .raw(`create or replace function allergy() returns trigger language plpgsql as $$ begin
        if new.title = '${title}' then raise exception 'deadlock detected 40001' using errcode = '${state}'; end if; return new; end $$`)
        .execute(harness.db.sql);
      await sql`create or replace trigger allergy before insert or update on jobs for each row execute function allergy()`.execute(
        harness.db.sql,
      );
    };

    it('[S2] an unknown fault stops at its own mutation: those before it are applied, those after it wait', async () => {
      await allergicTo('Cursed');
      const all = [post({ title: 'A' }), post({ title: '' }), post({ title: 'Cursed' }), post({ title: 'Z' })];
      const { stopped } = await takeIn(all);
      expect(stopped).toEqual({ uid: all[2]!.uid, retryAfterMs: 5_000 });
      expect((await jobs()).map(({ title }) => title)).toEqual(['A']);
      expect((await outcomesOf(all)).map((outcome) => outcome?.status)).toEqual([
        'applied',
        'refused',
        undefined,
        undefined,
      ]);
      const [fault] = (
        await sql<{ attempts: number; last_error: string }>`select attempts, last_error from sync_attempt`.execute(
          harness.db.sql,
        )
      ).rows;
      expect(fault).toMatchObject({ attempts: 1, last_error: expect.stringContaining('XX000') as string });
      // Classified by SQLSTATE: the message text suggests a deadlock. And the text stays out of logs and tables.
      expect(fault!.last_error + harness.logged.join()).not.toContain('deadlock detected');
      await sql`drop trigger allergy on jobs`.execute(harness.db.sql);
      expect((await takeIn(all)).stopped).toBeUndefined();
      expect((await jobs()).map(({ title }) => title)).toEqual(['A', 'Cursed', 'Z']);
    });

    it('[S2] an unknown fault at COMMIT, which names no mutation, is found among many', async () => {
      await sql
        .raw(`create function allergy() returns trigger language plpgsql as $$ begin
        if new.title = 'Cursed' then raise exception 'x' using errcode = 'XX000'; end if; return null; end $$`)
        .execute(harness.db.sql);
      await sql`create constraint trigger allergy after insert on jobs deferrable initially deferred for each row execute function allergy()`.execute(
        harness.db.sql,
      );
      const all = Array.from({ length: 20 }, (_, at) => post({ title: at === 13 ? 'Cursed' : `Job ${at}` }));
      const { stopped } = await takeIn(all);
      expect(stopped?.uid).toBe(all[13]!.uid);
      expect(await jobs()).toHaveLength(13);
    });

    it(`[S2][I3] an unknown fault that persists becomes a dead letter with its args after ${deadLetterAfter.attempts} attempts over half an hour, and the queue goes on`, async () => {
      await allergicTo('Cursed');
      const all = [post({ title: 'Cursed', description: 'Keep me' }), post({ title: 'Z' })];
      for (let attempt = 1; attempt <= 20; attempt += 1) expect((await takeIn(all)).stopped?.uid).toBe(all[0]!.uid);
      expect(await outcomesOf(all)).toEqual([undefined, undefined]);
      harness.pass(deadLetterAfter.ms);
      expect((await takeIn(all)).stopped).toBeUndefined();
      expect(await outcomesOf(all)).toMatchObject([{ status: 'parked', code: 'parked' }, { status: 'applied' }]);
      expect((await takeIn(all)).stopped).toBeUndefined();
      expect((await jobs()).map(({ title }) => title)).toEqual(['Z']);
      expect((await sql`select 1 from sync_attempt`.execute(harness.db.sql)).rows).toEqual([]);

      await expect(replayDeadLetter(harness.parts, { userId: owner.id, uid: all[0]!.uid })).rejects.toMatchObject({
        code: 'XX000',
      });
      await sql`drop trigger allergy on jobs`.execute(harness.db.sql);
      await replayDeadLetter(harness.parts, { userId: owner.id, uid: all[0]!.uid });
      await expect(replayDeadLetter(harness.parts, { userId: owner.id, uid: all[0]!.uid })).rejects.toThrow('nothing');
      expect((await jobs()).map(({ title }) => title)).toEqual(['Cursed', 'Z']);
      expect(await outcomesOf(all)).toMatchObject([{ status: 'applied' }, { status: 'applied' }]);
    });

    it('[S2] half an hour alone makes no dead letter: a phone that was away has tried once', async () => {
      await allergicTo('Cursed');
      const all = [post({ title: 'Cursed' })];
      await takeIn(all);
      harness.pass(7 * day);
      expect((await takeIn(all)).stopped?.uid).toBe(all[0]!.uid);
    });
  });
});
