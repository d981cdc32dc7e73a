import { sql as rawSql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { day } from '../../shared/lib/durations.ts';
import type { User } from '../../shared/tables/index.ts';
import { makeTestId } from '../../shared/testing/make.ts';
import type { ArgsOf } from '../../shared/mutations/index.ts';
import { openSyncHarness, post, type SyncHarness } from '../testing/sync-harness.ts';
import { usualDatabase } from '../testing/test-db.ts';
import { createExchange } from './exchange.ts';
import { decideRequest } from './decide-request.ts';

describe.each(usualDatabase)('jobs a day, on %s', (kind) => {
  let harness: SyncHarness;
  let owner: User;

  beforeEach(async () => {
    harness = await openSyncHarness(kind);
    owner = await harness.homeowner();
  });
  afterEach(() => harness.close());

  const parts = () => ({ ...harness.parts, clock: () => new Date(), jobsPerDay: 3 });
  const byRest = () => {
    const { args } = post();
    return decideRequest(parts(), owner.id, {
      uid: makeTestId(),
      call: 'jobs.create',
      input: args,
      plan: () => [{ name: 'job.post', args: args as ArgsOf<'job.post'> }],
    });
  };
  const jobs = async () =>
    (await rawSql`select id from jobs where user_id = ${owner.id}`.execute(harness.db.sql)).rows.length;
  const age = (ms: number) =>
    rawSql`update jobs set created_at = created_at - ${`${ms} milliseconds`}::interval where user_id = ${owner.id}`.execute(
      harness.db.sql,
    );

  test('the fourth in a day is rejected by the exchange and by REST, in one request too, says from when one may post again, and others may go on', async () => {
    const phone = harness.device(owner, createExchange(parts()));
    const posts = [post(), post(), post(), post()];
    await phone.sync(posts);
    expect(posts.map(({ uid }) => phone.outcomes.get(uid)?.status)).toEqual([
      'applied',
      'applied',
      'applied',
      'refused',
    ]);
    const rejection = phone.outcomes.get(posts[3]!.uid);
    expect(rejection).toMatchObject({
      code: 'too-many-jobs',
      message: expect.stringMatching(
        /^You can post 3 jobs in 24 hours\. You can post the next one from \w+day, .*\d:\d\d.(am|pm)\. What you wrote is kept\.$/,
      ),
    });
    expect(await byRest()).toMatchObject({ status: 'refused', code: 'too-many-jobs' });
    expect(await jobs()).toBe(3);
    // A repeat of one that counted is no fourth.
    await phone.sync([posts[0]!]);
    expect(phone.outcomes.get(posts[0]!.uid)?.status).toBe('applied');
    const neighbour = harness.device(await harness.homeowner(), createExchange(parts()));
    const theirs = post();
    await neighbour.sync([theirs]);
    expect(neighbour.outcomes.get(theirs.uid)?.status).toBe('applied');
  });

  test('closing a job frees nothing; a day later one may post again', async () => {
    for (let n = 0; n < 3; n += 1) expect((await byRest()).status).toBe('applied');
    await rawSql`update jobs set status = 'closed', closed_at = now() where user_id = ${owner.id}`.execute(
      harness.db.sql,
    );
    expect((await byRest()).status).toBe('refused');
    await age(day);
    expect((await byRest()).status).toBe('applied');
  });

  test('ten at once do not get past it together', async () => {
    const outcomes = await Promise.all(Array.from({ length: 10 }, byRest));
    expect(outcomes.filter(({ status }) => status === 'applied')).toHaveLength(3);
    expect(await jobs()).toBe(3);
  });
});
