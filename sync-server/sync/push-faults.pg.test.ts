import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { day } from '../../shared/lib/durations.ts';
import type { User } from '../../shared/tables/index.ts';
import { openPushHarness, type PushHarness } from '../testing/push-harness.ts';
import { post, sent, sqlError, withFaults, type FaultPoint } from '../testing/sync-harness.ts';
import { usualDatabase } from '../testing/test-db.ts';
import { deadLetterAfter } from './attempts.ts';
import { replayDeadLetter } from './replay-dead-letter.ts';

describe.each(usualDatabase)('faults while mutations are pushed, on %s', (kind) => {
  let harness: PushHarness;
  let owner: User;
  beforeEach(async () => {
    harness = await openPushHarness(kind);
    ({ owner } = harness);
  });
  afterEach(() => harness.close());

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
    expect((await harness.jobs()).map(({ title, status }) => [title, status])).toEqual(finished);
    expect((await harness.outcomesOf(all)).map((outcome) => outcome?.code ?? outcome?.status)).toEqual(decided);
  };
  /** Every point of an undisturbed run. */
  const pointsOf = async (): Promise<FaultPoint[]> => {
    const points: FaultPoint[] = [];
    const other = await harness.homeowner();
    await harness.push(
      mixture(),
      other,
      withFaults(harness.db, (point) => void points.push(point)),
    );
    await sql`delete from jobs`.execute(harness.db.sql);
    return points;
  };

  it('[S2][I1][I3] a transient error at any statement, before or after it ran or at COMMIT, loses nothing and doubles nothing', async () => {
    const points = await pointsOf();
    expect(points.length).toBeGreaterThan(12);
    for (const state of ['40001', '08006'])
      for (const [index] of points.entries()) {
        await sql`delete from jobs`.execute(harness.db.sql);
        const all = mixture();
        let reached = 0;
        const once = withFaults(harness.db, () => (reached++ === index ? sqlError(state) : undefined));
        expect((await harness.push(all, owner, once)).stopped, `at point ${index}`).toBeUndefined();
        expect(reached).toBeGreaterThan(index);
        await expectFinished(all);
      }
  });

  it('[S2][I3] a transient error that persists stops the request and leaves everything for the next', async () => {
    for (const [index, point] of (await pointsOf()).entries()) {
      await sql`delete from jobs`.execute(harness.db.sql);
      const all = mixture();
      let reached = 0;
      const down = withFaults(harness.db, () => (reached++ >= index ? sqlError('57P01') : undefined));
      const { stopped } = await harness.push(all, owner, down);
      expect(stopped, JSON.stringify(point)).toMatchObject({
        uid: expect.any(String) as string,
        retryAfterMs: 2_000,
      });
      expect((await harness.push(all)).stopped).toBeUndefined();
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
    const { stopped } = await harness.push(all);
    expect(stopped).toEqual({ uid: all[2]!.uid, retryAfterMs: 5_000 });
    expect((await harness.jobs()).map(({ title }) => title)).toEqual(['A']);
    expect((await harness.outcomesOf(all)).map((outcome) => outcome?.status)).toEqual([
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
    expect((await harness.push(all)).stopped).toBeUndefined();
    expect((await harness.jobs()).map(({ title }) => title)).toEqual(['A', 'Cursed', 'Z']);
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
    const { stopped } = await harness.push(all);
    expect(stopped?.uid).toBe(all[13]!.uid);
    expect(await harness.jobs()).toHaveLength(13);
  });

  it(`[S2][I3] an unknown fault that persists becomes a dead letter with its args after ${deadLetterAfter.attempts} attempts over half an hour, and the queue goes on`, async () => {
    await allergicTo('Cursed');
    const all = [post({ title: 'Cursed', description: 'Keep me' }), post({ title: 'Z' })];
    for (let attempt = 1; attempt <= 20; attempt += 1) expect((await harness.push(all)).stopped?.uid).toBe(all[0]!.uid);
    expect(await harness.outcomesOf(all)).toEqual([undefined, undefined]);
    harness.pass(deadLetterAfter.ms);
    expect((await harness.push(all)).stopped).toBeUndefined();
    expect(await harness.outcomesOf(all)).toMatchObject([{ status: 'parked', code: 'parked' }, { status: 'applied' }]);
    expect((await harness.push(all)).stopped).toBeUndefined();
    expect((await harness.jobs()).map(({ title }) => title)).toEqual(['Z']);
    expect((await sql`select 1 from sync_attempt`.execute(harness.db.sql)).rows).toEqual([]);

    await expect(replayDeadLetter(harness.parts, { userId: owner.id, uid: all[0]!.uid })).rejects.toMatchObject({
      code: 'XX000',
    });
    await sql`drop trigger allergy on jobs`.execute(harness.db.sql);
    await replayDeadLetter(harness.parts, { userId: owner.id, uid: all[0]!.uid });
    await expect(replayDeadLetter(harness.parts, { userId: owner.id, uid: all[0]!.uid })).rejects.toThrow(
      'no dead letter',
    );
    expect((await harness.jobs()).map(({ title }) => title)).toEqual(['Cursed', 'Z']);
    expect(await harness.outcomesOf(all)).toMatchObject([{ status: 'applied' }, { status: 'applied' }]);
  });

  it('[S2] a mutation that fails in an unknown way is asked for less and less often, every five minutes at last', async () => {
    await allergicTo('Cursed');
    const all = [post({ title: 'Cursed' })];
    const waits: (number | undefined)[] = [];
    for (let attempt = 1; attempt <= 8; attempt += 1) waits.push((await harness.push(all)).stopped?.retryAfterMs);
    expect(waits).toEqual([5_000, 10_000, 20_000, 40_000, 80_000, 160_000, 300_000, 300_000]);
  });

  it('[S2] a failure that cannot even be counted is tried again soon', async () => {
    await allergicTo('Cursed');
    const all = [post({ title: 'Cursed' })];
    const cannotCount = async (state: string) => {
      await sql
        .raw(`create or replace function busy() returns trigger language plpgsql as $$ begin
          raise exception 'x' using errcode = '${state}'; end $$`)
        .execute(harness.db.sql);
      await sql`create or replace trigger busy before insert on sync_attempt for each row execute function busy()`.execute(
        harness.db.sql,
      );
    };
    await cannotCount('40001');
    expect((await harness.push(all)).stopped).toEqual({ uid: all[0]!.uid, retryAfterMs: 2_000 });
    await cannotCount('XX000');
    await expect(harness.push(all)).rejects.toMatchObject({ code: 'XX000' });
    await sql`drop trigger busy on sync_attempt`.execute(harness.db.sql);
    expect((await harness.push(all)).stopped?.retryAfterMs).toBe(5_000);
  });

  it('[S2] half an hour alone makes no dead letter: a phone that was away has tried once', async () => {
    await allergicTo('Cursed');
    const all = [post({ title: 'Cursed' })];
    await harness.push(all);
    harness.pass(7 * day);
    expect((await harness.push(all)).stopped?.uid).toBe(all[0]!.uid);
  });
});
