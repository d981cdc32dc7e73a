import { expect, test } from 'vitest';
import type { Written } from '../../sync-server/testing/memory-store/memory-engine.ts';
import { createCounters } from '../world/counters.ts';
import { createDecisions } from './decisions.ts';

const key = 'person/mutation';
const line = {
  user_id: 'person',
  uid: 'mutation',
  name: 'seen.tell',
  args_hash: 'hash',
  status: 'applied',
  outcome: {},
};
const mutations = new Map([[key, line]]);

test('what a standby had lost is decided again where the backup that is restored after it has it', () => {
  const decisions = createDecisions(createCounters(), (violation) => {
    throw violation;
  });
  decisions.take({
    wrote: [{ table: 'sync_mutation', key }],
    before: new Map(),
    after: new Map([['sync_mutation', mutations]]),
    version: 4,
  } as unknown as Written);

  expect(decisions.keepOnly(new Map())).toHaveLength(1);
  expect(decisions.of('person', 'mutation')).toBeUndefined();
  expect(decisions.keepOnly(mutations)).toEqual([]);
  expect(decisions.of('person', 'mutation')).toMatchObject({ status: 'applied', version: 4 });
});
