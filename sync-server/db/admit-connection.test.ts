import type { ClientBase } from 'pg';
import { expect, it } from 'vitest';
import { admitConnection } from './admit-connection.ts';
import { createTimelineFence, TimelineEnded, type TimelineSeen } from './timeline-fence.ts';

const former: TimelineSeen = { timeline: 'one', ended: [] };
const newer: TimelineSeen = { timeline: 'two', ended: ['one'] };

/** A connection whose answers come one by one, each after `meanwhile`. */
function connection(answers: TimelineSeen[], meanwhile: () => void = () => undefined): Pick<ClientBase, 'query'> {
  const query = async () => {
    const row = answers.shift();
    await Promise.resolve();
    meanwhile();
    return { rows: row === undefined ? [] : [row] };
  };
  return { query } as unknown as Pick<ClientBase, 'query'>;
}

it('[S5] a server that opens two connections while the restored database begins its new timeline is not refused by it', async () => {
  const fence = createTimelineFence();
  const early = connection([former, newer], () => fence.check(newer));
  await expect(admitConnection(fence, early)).resolves.toBeUndefined();
});

it('[S5] a database that is still in the ended timeline is refused, also when it is asked again', async () => {
  const fence = createTimelineFence();
  const early = connection([former, former], () => fence.check(newer));
  await expect(admitConnection(fence, early)).rejects.toBeInstanceOf(TimelineEnded);
  await expect(admitConnection(fence, connection([former]))).rejects.toBeInstanceOf(TimelineEnded);
});
