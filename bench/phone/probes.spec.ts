import { expect, test } from '@playwright/test';
import { openFixture } from '../frame/fixture.ts';
import { syncFirst } from '../workloads/first-sync.ts';
import { openPhone } from './open-phone.ts';
import { long } from '../../e2e/test-options.ts';

/*
 * What the benchmarks look for in the page (the app in React's tree, the list by its rows, the engine's stores and
 * addresses) is not theirs, and changes without them.
 */

const jobs = 200;

test('the benchmarks’ probes find the app, the person, the list and what is durable', long, async () => {
  const fixture = openFixture({ runs: 1, say: () => {} });
  try {
    const world = await fixture.world(jobs);
    const phone = await openPhone(world.url, world.tradie);
    try {
      const { ms, fromOpeningMs, bytes, requests } = await syncFirst(await phone.start(), jobs);
      expect(ms).toBeGreaterThan(0);
      expect(fromOpeningMs).toBeGreaterThan(ms);
      expect(bytes).toBeGreaterThan(0);
      expect(requests).toBeGreaterThan(0);
    } finally {
      await phone.close();
    }
  } finally {
    await fixture.close();
  }
});
