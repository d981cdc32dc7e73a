import { beforeEach, describe, expect, test } from 'vitest';
import { day } from '../../shared/lib/durations.ts';
import { pageSize, type Delta } from '../../shared/protocol/exchange.ts';
import { makeTestId } from '../../shared/testing/make.ts';
import { now, createApplyHarness, type ApplyHarness } from '../testing/create-apply-harness.ts';
import { mutate } from './mutate.ts';
import { forgetCookie } from './apply-answer.ts';

let harness: ApplyHarness;
beforeEach(async () => {
  harness = await createApplyHarness();
});

test('[C4] a storage error during the replay fails the whole transaction: nothing is written', async () => {
  const row = harness.own();
  await harness.give({ puts: { jobs: [row] } });
  await harness.edit(row.id, 'Mine', row.title);
  // The edit waits without effect, so that the row is the server's alone, and is read.
  await harness.give({ puts: { jobs: [{ ...row, status: 'closed' }] }, cookie: 'c2' }, 'c1');
  const other = harness.own();
  Object.assign(harness.db.table('jobs'), {
    get: () => Promise.reject(new DOMException('Disk error', 'UnknownError')),
  });
  await expect(harness.give({ puts: { jobs: [other] }, cookie: 'c3' }, 'c2')).rejects.toThrow('Disk error');
  expect([await harness.db.jobs.count(), await harness.meta('cookie')]).toEqual([1, 'c2']);
});

test('on a phone whose clock is 40 days ahead, what was sent, refused and read has the server’s time', async () => {
  const serverTime = new Date(now - 40 * day).toISOString();
  const row = harness.own({ title: 'Old' });
  await harness.give({ puts: { jobs: [row] }, serverTime });
  const sent = await harness.edit(row.id, 'Mine', 'Old');
  const refused = await harness.edit(row.id, 'Other', 'Mine');
  const outcomes = [
    { uid: sent.uid, status: 'applied' as const },
    { uid: refused.uid, status: 'refused' as const, code: 'job-closed', message: 'Closed.' },
  ];
  await harness.give({ outcomes, serverTime, cookie: 'c2' }, 'c1');
  expect(await harness.meta('lastSynced')).toBe(serverTime);
  expect((await harness.db.meta.get('sent'))?.value).toMatchObject([{ at: serverTime }]);
  expect(await harness.db.refused.get(refused.uid)).toMatchObject({ refusedAt: serverTime });
});

describe.each([
  ['read from the disk', false],
  ['known from memory', true],
])('C2: one transaction, over rows that are %s', (_rows, isInMemory) => {
  beforeEach(async () => {
    if (isInMemory) await harness.db.rows.read();
  });

  test('so they are', () => expect(harness.db.rows.at() !== undefined).toBe(isInMemory));

  test('pending mutations are replayed over the server’s rows; rows they do not touch are kept', async () => {
    const row = harness.own({ title: 'Old', urgency: 'slow' });
    await harness.give({ puts: { jobs: [row] } });
    await harness.edit(row.id, 'Mine', 'Old');
    await harness.give({ puts: { jobs: [{ ...row, urgency: 'urgent' }] }, cookie: 'c2' }, 'c1');
    expect(await harness.job(row.id)).toEqual({ ...row, title: 'Mine', urgency: 'urgent' });
    expect(await harness.db.shadow.get(['jobs', row.id])).toMatchObject({ row: { ...row, urgency: 'urgent' } });
    expect(await harness.db.outbox.count()).toBe(1);
  });

  test('an outcome arrives with its effect: the row is the server’s, no server row is kept, the outbox is empty', async () => {
    const row = harness.own({ title: 'Old' });
    await harness.give({ puts: { jobs: [row] } });
    const { uid } = await harness.edit(row.id, 'Mine', 'Old');
    await harness.give(
      { puts: { jobs: [{ ...row, title: 'Mine' }] }, outcomes: [{ uid, status: 'applied' }], cookie: 'c2' },
      'c1',
    );
    expect(await harness.job(row.id)).toEqual({ ...row, title: 'Mine' });
    expect([await harness.db.shadow.count(), await harness.db.outbox.count(), await harness.meta('cookie')]).toEqual([
      0,
      0,
      'c2',
    ]);
  });

  test('a rejected mutation is undone and kept with its message; the effect of the next one stays', async () => {
    const row = harness.own({ title: 'Old', urgency: 'slow' });
    await harness.give({ puts: { jobs: [row] } });
    const { uid } = await harness.edit(row.id, 'Mine', 'Old');
    await mutate(harness.ports, 'job.edit', { id: row.id, set: { urgency: 'urgent' }, base: { urgency: 'slow' } });
    await harness.give(
      { outcomes: [{ uid, status: 'refused', code: 'stale', message: 'Changed elsewhere', fields: { title: '"X"' } }] },
      'c1',
    );
    expect(await harness.job(row.id)).toEqual({ ...row, urgency: 'urgent' });
    expect(await harness.db.refused.toArray()).toEqual([
      expect.objectContaining({ uid, status: 'refused', code: 'stale', fields: { title: '"X"' }, name: 'job.edit' }),
    ]);
  });

  test('a mutation that the device itself would reject now stays in the outbox without effect: the server decides', async () => {
    const row = harness.own();
    await harness.give({ puts: { jobs: [row] } });
    await harness.edit(row.id, 'Mine', row.title);
    const closed = { ...row, status: 'closed' as const, closedAt: new Date(now).toISOString() };
    await harness.give({ puts: { jobs: [closed] }, cookie: 'c2' }, 'c1');
    expect(await harness.job(row.id)).toEqual(closed);
    expect(await harness.db.outbox.count()).toBe(1);
    expect(await harness.db.refused.count()).toBe(0);
  });

  test('I16: a rejection that arrives again after the person has dismissed it does not come back', async () => {
    const row = harness.own();
    await harness.give({ puts: { jobs: [row] } });
    const { uid } = await harness.edit(row.id, 'Mine', row.title);
    const outcomes: Delta['outcomes'] = [{ uid, status: 'refused', code: 'job-closed', message: 'Closed' }];
    await harness.give({ outcomes }, 'c1');
    await harness.db.refused.delete(uid);
    const again = await harness.give({ outcomes }, 'c1');
    expect(again).toMatchObject({ kind: 'taken', decided: [] });
    expect(await harness.db.refused.count()).toBe(0);
  });

  test('only decided mutations leave the outbox: an undecided one between them stays as it was', async () => {
    const rows = ['a', 'b', 'c', 'd'].map((title) => harness.own({ title }));
    await harness.give({ puts: { jobs: rows } });
    const uids: string[] = [];
    for (const row of rows) uids.push((await harness.edit(row.id, `${row.title} of mine`, row.title)).uid);
    const applied = (at: number) => ({ uid: uids[at] ?? '', status: 'applied' as const });
    // The first and the last of four, then the first of the two that are left.
    expect(await harness.give({ outcomes: [applied(0), applied(3)], cookie: 'c2' }, 'c1')).toMatchObject({
      decided: [{ entry: { uid: uids[0] } }, { entry: { uid: uids[3] } }],
    });
    expect((await harness.db.outbox.toArray()).map(({ uid }) => uid)).toEqual([uids[1], uids[2]]);
    await harness.give({ outcomes: [applied(1)], cookie: 'c3' }, 'c2');
    expect((await harness.db.outbox.toArray()).map(({ uid }) => uid)).toEqual([uids[2]]);
    expect((await harness.db.jobs.toArray()).map(({ title }) => title).toSorted()).toEqual([
      'a',
      'b',
      'c of mine',
      'd',
    ]);
    expect((await harness.db.meta.get('applied'))?.value).toEqual(
      [0, 3, 1].map((at) => ({ uid: uids[at], name: 'job.edit' })),
    );
  });

  test('an outcome without a message gets one: for a dead letter, and for a rejection', async () => {
    const row = harness.own();
    await harness.give({ puts: { jobs: [row] } });
    const [parked, refused] = [await harness.edit(row.id, 'One', row.title), await harness.edit(row.id, 'Two', 'One')];
    await harness.give(
      {
        outcomes: [
          { uid: parked.uid, status: 'parked' },
          { uid: refused.uid, status: 'refused' },
        ],
        cookie: 'c2',
      },
      'c1',
    );
    const kept = (uid: string) => harness.db.refused.get(uid);
    const shared = { fields: null, refusedAt: new Date(now).toISOString(), at: new Date(now).toISOString() };
    expect(await kept(parked.uid)).toMatchObject({
      ...shared,
      code: 'parked',
      message: expect.stringContaining('looking into it') as string,
    });
    expect(await kept(refused.uid)).toMatchObject({ ...shared, code: 'refused', message: 'This was not accepted.' });
  });

  test('an answer that leaves waiting writes alone costs them no write', async () => {
    const waiting = Array.from({ length: 200 }, () => harness.own());
    await harness.give({ puts: { jobs: waiting } });
    for (const { id, title } of waiting) await harness.edit(id, 'Mine', title);
    const written = { jobs: 0, shadow: 0 };
    for (const name of ['jobs', 'shadow'] as const)
      for (const verb of ['bulkPut', 'bulkDelete'] as const) {
        const table = harness.db.table<unknown, unknown>(name);
        const write = table[verb].bind(table) as (given: readonly unknown[]) => Promise<unknown>;
        Object.assign(table, {
          [verb]: (given: readonly unknown[]) => {
            written[name] += given.length;
            return write(given);
          },
        });
      }
    const other = harness.own();
    await harness.give({ puts: { jobs: [other] }, cookie: 'c2' }, 'c1');
    expect(written).toEqual({ jobs: 1, shadow: 0 });
    expect(await harness.job(other.id)).toEqual(other);
    expect((await harness.job(waiting[0]!.id))?.title).toBe('Mine');
  });

  test('a whole page of rows is written in one chunk', async () => {
    const seen: number[] = [];
    const transaction = harness.db.transaction.bind(harness.db);
    Object.assign(harness.db, {
      transaction: async (...given: Parameters<typeof transaction>) => {
        const result = await transaction(...given);
        seen.push(await harness.db.jobs.count());
        return result;
      },
    });
    await harness.give({ puts: { jobs: Array.from({ length: pageSize }, () => harness.own()) } });
    expect(seen).toEqual([pageSize]);
  });

  test('if any part fails, nothing is written', async () => {
    const row = harness.own();
    await harness.give({ puts: { jobs: [row] } });
    const { uid } = await harness.edit(row.id, 'Mine', row.title);
    const before = [await harness.job(row.id), await harness.db.shadow.toArray(), await harness.db.outbox.toArray()];
    // IndexedDB cannot store this value, which is written last.
    const unkeepable = { cookie: (() => 'x') as unknown as string };
    await expect(
      harness.give(
        { puts: { jobs: [{ ...row, title: 'New' }] }, outcomes: [{ uid, status: 'applied' }], ...unkeepable },
        'c1',
      ),
    ).rejects.toThrow();
    expect([await harness.job(row.id), await harness.db.shadow.toArray(), await harness.db.outbox.toArray()]).toEqual(
      before,
    );
    expect(await harness.meta('cookie')).toBe('c1');
  });

  test('more rows than a page are written in chunks; the cookie and the outcomes with the last', async () => {
    const { uid } = await mutate(harness.ports, 'job.post', {
      id: makeTestId(),
      title: 'T',
      description: 'D',
      locationId: 'l',
      urgency: 'soon',
      categoryId: 'c',
    });
    const rows = Array.from({ length: 2_500 }, () => harness.own());
    const seen: [number, unknown, number][] = [];
    const transaction = harness.db.transaction.bind(harness.db);
    Object.assign(harness.db, {
      transaction: async (...given: Parameters<typeof transaction>) => {
        const result = await transaction(...given);
        seen.push([await harness.db.jobs.count(), await harness.meta('cookie'), await harness.db.outbox.count()]);
        return result;
      },
    });
    await harness.give({ puts: { jobs: rows }, outcomes: [{ uid, status: 'refused' }] });
    expect(seen).toEqual([
      [pageSize + 1, undefined, 1],
      [2 * pageSize + 1, undefined, 1],
      [2_500, 'c1', 0],
    ]);
  });
});

describe('C3 and C6: discarded, and nothing is written', () => {
  test('an answer to another request', async () => {
    const row = harness.own();
    await harness.give({ puts: { jobs: [row] } });
    expect(await harness.give({ removes: { jobs: [row.id] }, cookie: 'c0' }, null)).toEqual({
      kind: 'discarded',
      why: 'other-question',
    });
    expect(await harness.job(row.id)).toEqual(row);
    expect(await harness.meta('cookie')).toBe('c1');
  });

  test('an answer from a leader that was deposed while it waited', async () => {
    await harness.db.meta.put({ key: 'leader', value: { epoch: 2, beat: 0 } });
    expect(await harness.give({ puts: { jobs: [harness.own()] } })).toEqual({ kind: 'discarded', why: 'deposed' });
    expect(await harness.db.jobs.count()).toBe(0);
    expect(await forgetCookie(harness.ports, { epoch: 1, cookie: null })).toBe('deposed');
  });
});

test('[C4] an answer to a device that was cleared meanwhile is discarded: no leadership record is written', async () => {
  await harness.db.meta.clear();
  expect(await harness.give({ puts: { jobs: [harness.own()] } })).toEqual({ kind: 'discarded', why: 'deposed' });
  expect([await harness.db.jobs.count(), await harness.db.meta.count()]).toEqual([0, 0]);
});

test('C4: the canary is set by the first answer and stays', async () => {
  await harness.give({});
  const first = await harness.meta('canary');
  await harness.give({ cookie: 'c2' }, 'c1');
  expect([first, await harness.meta('canary')]).toEqual([new Date(now).toISOString(), new Date(now).toISOString()]);
});

test('[C12] the server’s time is stored as its offset from this device’s clock', async () => {
  await harness.give({ serverTime: new Date(now + 90_000).toISOString() });
  expect((await harness.db.meta.get('serverTimeOffset'))?.value).toBe(90_000);
});

test('[C3] only the leader forgets a cookie, and only the one its request was made with', async () => {
  await harness.give({});
  expect(await forgetCookie(harness.ports, { epoch: 1, cookie: 'c0' })).toBe('other-question');
  expect(await forgetCookie(harness.ports, { epoch: 2, cookie: 'c1' })).toBe('deposed');
  expect(await harness.meta('cookie')).toBe('c1');
});
