import { beforeEach, describe, expect, test } from 'vitest';
import { makeTestId } from '../../shared/testing/make.ts';
import { now, createApplyHarness, type ApplyHarness } from '../testing/create-apply-harness.ts';
import { mutate } from './mutate.ts';
import { forgetCookie } from './apply-answer.ts';

let harness: ApplyHarness;
beforeEach(async () => {
  harness = await createApplyHarness();
});

describe('after a reset', () => {
  test('an empty snapshot removes every row, but no pending mutation', async () => {
    await harness.give({ puts: { jobs: [harness.own(), harness.own()] } });
    await forgetCookie(harness.ports, { epoch: 1, cookie: 'c1' });
    const posted = makeTestId();
    await mutate(harness.ports, 'job.post', {
      id: posted,
      title: 'T',
      description: 'D',
      locationId: 'l',
      urgency: 'soon',
      categoryId: 'c',
    });
    await harness.give({ cookie: 'c9' });
    expect(await harness.db.jobs.toCollection().primaryKeys()).toEqual([posted]);
  });

  test('a snapshot that starts again forgets the ids seen of the one before it', async () => {
    const [gone, kept] = [harness.own(), harness.own()];
    await harness.give({ puts: { jobs: [gone] }, more: true, cookie: 'p1' });
    // The app was killed between two chunks of the next one, before its first cookie.
    await harness.db.meta.delete('cookie');
    await harness.give({ puts: { jobs: [kept] } });
    expect(await harness.db.jobs.toCollection().primaryKeys()).toEqual([kept.id]);
  });

  test('a row that a later page of a snapshot removes is gone, though an earlier page contained it', async () => {
    const [gone, kept] = [harness.own(), harness.own()];
    await harness.give({ puts: { jobs: [gone, kept] }, more: true, cookie: 'p1' });
    await harness.give({ removes: { jobs: [gone.id] }, cookie: 'c1' }, 'p1');
    expect(await harness.db.jobs.toCollection().primaryKeys()).toEqual([kept.id]);
  });

  test('rows stay until the new snapshot is complete; then those it did not contain are deleted, in the transaction of the cookie', async () => {
    const [kept, gone, fresh] = [harness.own(), harness.own(), harness.own()];
    await harness.give({ puts: { jobs: [kept, gone] } });
    expect(await forgetCookie(harness.ports, { epoch: 1, cookie: 'c1' })).toBe('taken');
    const posted = makeTestId();
    await mutate(harness.ports, 'job.post', {
      id: posted,
      title: 'T',
      description: 'D',
      locationId: 'l',
      urgency: 'soon',
      categoryId: 'c',
    });
    await harness.give({ puts: { jobs: [kept] }, more: true, cookie: 'p1' });
    expect(await harness.db.jobs.count()).toBe(3);
    expect(await harness.meta('lastSynced')).toBe(new Date(now).toISOString());
    await harness.give({ puts: { jobs: [fresh] }, cookie: 'c9' }, 'p1');
    expect((await harness.db.jobs.toCollection().primaryKeys()).toSorted()).toEqual(
      [kept.id, fresh.id, posted].toSorted(),
    );
    expect(await harness.db.outbox.count()).toBe(1);
    expect(await harness.meta('snapshot')).toBeUndefined();
  });

  test('a later delta deletes no other rows', async () => {
    const row = harness.own();
    await harness.give({ puts: { jobs: [row] } });
    await harness.give({ cookie: 'c2' }, 'c1');
    expect(await harness.job(row.id)).toEqual(row);
  });
});
