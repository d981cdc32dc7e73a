import { sql } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { SentMutation } from '../../shared/protocol/exchange.ts';
import { makeTestId } from '../../shared/testing/make.ts';
import { openSyncHarness, sent, type SyncHarness } from '../testing/sync-harness.ts';
import { writeDeadLetter } from './attempts.ts';
import { replayDeadLetter } from './replay-dead-letter.ts';

/*
 * What follows a mutation follows it too when an operator replays it. That it reaches devices is in
 * push-faults.pg.test.ts.
 */

let harness: SyncHarness;
beforeEach(async () => {
  harness = await openSyncHarness('postgres');
});
afterEach(() => harness.close());

const bury = async (userId: string, mutation: SentMutation) => {
  await writeDeadLetter(harness.parts, userId, mutation, new Error('unknown reason'));
  return { userId, uid: mutation.uid };
};

it('the owner gets the mail of an interest that was replayed', async () => {
  const owner = await harness.homeowner();
  const [job, { user }] = [await harness.job(owner), await harness.tradie()];
  const id = makeTestId();
  await replayDeadLetter(harness.parts, await bury(user.id, sent('interest.express', { id, jobId: job.id })));
  const { rows } = await sql<{ id: string }>`select payload ->> 'interestId' as id from effect`.execute(harness.db.sql);
  expect(rows).toEqual([{ id }]);
});

it('a photo that storage does not have is not attached, and stays a dead letter', async () => {
  const owner = await harness.homeowner();
  const job = await harness.job(owner);
  const url = `job-photos/${job.id}/1.jpg`;
  const letter = await bury(owner.id, sent('photo.attach', { id: makeTestId(), jobId: job.id, url }));
  const asked: (readonly string[])[] = [];
  const findFiles = (_sql: unknown, refs: readonly string[]) => {
    asked.push(refs);
    return Promise.resolve(new Map(refs.map((ref) => [ref, null])));
  };
  await expect(replayDeadLetter({ ...harness.parts, findFiles }, letter)).rejects.toMatchObject({
    name: 'Rejection',
    code: 'file-missing',
  });
  expect(asked).toEqual([[url]]);
  const { rows } = await sql`select 1 from sync_parked where replayed_at is null`.execute(harness.db.sql);
  expect(rows).toHaveLength(1);
});
