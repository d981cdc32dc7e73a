import { describe, expect, test } from 'vitest';
import { makeTestId } from '../../shared/testing/make.ts';
import { makeMutatePorts, makePost } from '../testing/make-mutate-ports.ts';
import { mutate, type MutatePorts } from './mutate.ts';

test('C5: a connection lost after the outbox row was on disk does not queue it twice', async () => {
  const device = makeMutatePorts();
  await device.db.open();
  const transaction = device.db.transaction.bind(device.db);
  let lost = 0;
  Object.assign(device.db, {
    transaction: async (...given: Parameters<typeof transaction>) => {
      const result = await transaction(...given);
      lost += 1;
      if (lost === 1)
        throw new DOMException(
          'Connection to Indexed Database server lost. Refresh the page to try again',
          'UnknownError',
        );
      return result;
    },
  });
  await mutate(device, 'job.post', makePost(makeTestId()));
  expect(lost).toBe(2);
  expect(await device.db.outbox.count()).toBe(1);
});

describe('C5: a connection that is lost before its transaction said "complete"', () => {
  const lostOnce = (device: MutatePorts, meanwhile: (work: () => Promise<unknown>) => Promise<void>) => {
    const transaction = device.db.transaction.bind(device.db);
    let isLost = false;
    Object.assign(device.db, {
      transaction: async (...given: Parameters<typeof transaction>) => {
        if (isLost) return transaction(...given);
        isLost = true;
        await meanwhile(() => transaction(...given));
        throw new DOMException('The database connection is closing.', 'InvalidStateError');
      },
    });
  };

  test('nothing was written: the second try queues it', async () => {
    const device = makeMutatePorts();
    await device.db.open();
    lostOnce(device, async () => undefined);
    await mutate(device, 'job.post', makePost(makeTestId()));
    expect([await device.db.outbox.count(), await device.db.jobs.count()]).toEqual([1, 1]);
  });

  test.each(['applied', 'rejected', 'unwritten'] as const)(
    'the first try was %s before the second: queued at most once',
    async (how) => {
      const device = makeMutatePorts();
      const { db } = device;
      await db.open();
      await db.meta.put({ key: 'applied', value: [{ uid: makeTestId(), name: 'job.post' }] });
      const id = makeTestId();
      lostOnce(device, async (work) => {
        if (how === 'unwritten') return;
        await work();
        const entry = await db.outbox.toCollection().first();
        await db.outbox.clear();
        const { uid = '' } = entry ?? {};
        if (how === 'applied')
          await db.meta.put({
            key: 'applied',
            value: [
              { uid: makeTestId(), name: 'job.post' },
              { uid, name: 'job.post' },
            ],
          });
        else
          await db.refused.add({
            uid,
            seq: 1,
            name: 'job.post',
            args: {},
            at: '',
            status: 'refused',
            code: 'invalid',
            message: '',
            fields: null,
            refusedAt: '',
          });
      });
      await mutate(device, 'job.post', makePost(id));
      expect(await db.outbox.count()).toBe(how === 'unwritten' ? 1 : 0);
    },
  );
});
