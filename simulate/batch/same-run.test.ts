import { expect, test } from 'vitest';
import type { Ended } from '../run-seed.ts';
import { runBatch } from './run-batch.ts';

test('a seed gives the same run whatever its worker ran before', async () => {
  const ended: Ended[] = [];
  await runBatch({ seeds: [4, 4], steps: 2, workers: 1, onEnded: (one) => ended.push(one) > 0 });
  const [alone, after] = ended.map(({ seed, trace, counts, virtualMs }) => ({ seed, trace, counts, virtualMs }));
  expect(after).toEqual(alone);
}, 120_000);
