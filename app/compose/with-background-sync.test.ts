import { expect, test } from 'vitest';
import type { Sync } from '../sync/create-sync.ts';
import { withBackgroundSync } from './with-background-sync.ts';

test('[C9] the browser is asked to wake the worker at once, and once more after the last of many writes', async () => {
  const timers: (() => void)[] = [];
  const fire = () => timers.splice(0).forEach((then) => then());
  let asked = 0;
  let made = 0;
  const sync = { mutate: async () => ({ uid: `${(made += 1)}` }) } as unknown as Sync;
  const { mutate } = withBackgroundSync(
    sync,
    async () => (asked += 1),
    (_ms, then) => {
      timers.push(then);
      return () => undefined;
    },
  );
  const write = () => mutate('job.close', { id: 'a' });
  await write();
  expect(asked).toBe(1);
  for (let more = 0; more < 20; more += 1) await write();
  expect(asked).toBe(1);
  fire();
  expect(asked).toBe(2);
  fire();
  expect(asked).toBe(2);
  await write();
  expect([asked, made]).toEqual([3, 22]);
});
