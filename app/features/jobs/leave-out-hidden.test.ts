import { expect, test } from 'vitest';
import { seededRandom } from '../../../shared/testing/random-source.ts';
import { createLeaveOutHidden } from './leave-out-hidden.ts';

const random = seededRandom(11);
const draw = (below: number) => new DataView(Uint8Array.from(random.bytes(4)).buffer).getUint32(0) % below;
const rowsOf = (count: number) => Array.from({ length: count }, (_none, at) => ({ id: `${at}` }));

test('whatever is hidden and shown again, of whatever rows, the list is as if each row were looked at', () => {
  const leaveOut = createLeaveOutHidden<{ id: string }>();
  let rows = rowsOf(60);
  let hidden = new Set<string>();
  for (let step = 0; step < 400; step += 1) {
    if (draw(10) === 0) rows = rowsOf(draw(60));
    const next = new Set(hidden);
    // Some of them are of no row.
    for (let count = draw(12); count > 0; count -= 1) next.add(`${draw(80)}`);
    if (draw(4) === 0) next.delete(`${draw(80)}`);
    hidden = draw(20) === 0 ? new Set() : next;
    expect(leaveOut(rows, hidden)).toEqual(rows.filter(({ id }) => !hidden.has(id)));
  }
});

test('one more hidden job is taken out without a look at the others', () => {
  let asked = 0;
  const rows = rowsOf(1_000).map(({ id }) => ({
    get id() {
      asked += 1;
      return id;
    },
  }));
  const leaveOut = createLeaveOutHidden<{ readonly id: string }>();
  expect(leaveOut(rows, new Set(['5']))).toHaveLength(999);
  asked = 0;
  expect(leaveOut(rows, new Set(['5', '20']))).toHaveLength(998);
  expect(asked).toBeLessThan(50);
});
