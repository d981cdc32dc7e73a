import { measure } from '../frame/measure.ts';
import type { Workload } from '../frame/workload.ts';
import { openPhone } from '../phone/open-phone.ts';
import { allJobs } from './first-sync.ts';

interface Written {
  /** Milliseconds from the tap's handler until "Saved on this phone" may be said. */
  durable: number;
  /** Until a live query shows it. */
  visible: number;
}

const writesPerRun = 8;

export const oneWrite: Workload = {
  ids: ['B7'],
  run: async (fixture) => {
    const world = await fixture.world();
    const phone = await openPhone(world.url, world.tradie);
    try {
      const running = await phone.start();
      await running.load(allJobs);
      // Without signal, so that only what the device does is counted.
      await running.setSignal(false);
      const ids = world.rows.jobs.slice(-(fixture.runs * writesPerRun + 5)).map(({ id }) => id);
      const written = await running.page.evaluate(async (jobIds) => {
        const { bench } = window;
        const context = bench.context();
        const taken: Written[] = [];
        for (const jobId of jobIds.toReversed()) {
          const isShown = () =>
            document
              .querySelector(`a[href="/job/${jobId}"]`)
              ?.closest('article')
              ?.textContent.includes('Interest Expressed') === true;
          document.querySelector(`a[href="/job/${jobId}"]`)?.scrollIntoView({ block: 'center' });
          await new Promise((resolve) => setTimeout(resolve, 120));
          const begun = performance.now();
          const shown = bench.until(isShown);
          await context.sync.mutate('interest.express', { id: bench.app().newId(), jobId });
          const durable = performance.now() - begun;
          const { shownAt } = await shown;
          taken.push({ durable, visible: shownAt - begun });
        }
        return taken.slice(5);
      }, ids);
      const floors = await running.page.evaluate(strictPuts, { count: written.length, restMs: 20 });
      return [
        measure({
          id: 'B7',
          name: 'A write until durable (strict), 20,000 jobs loaded; floor: one record put by itself, strictly durable',
          unit: 'ms',
          runs: written.map(({ durable }) => durable),
          floors,
          target: { words: '<= 4 ms', max: 4 },
        }),
        measure({
          id: 'B7',
          name: 'Until the list shows it',
          unit: 'ms',
          runs: written.map(({ visible }) => visible),
          target: { words: '<= 1 ms', max: 1 },
        }),
      ];
    } finally {
      await phone.close();
    }
  },
};

/** Milliseconds of each of so many transactions that put one small record, one after another. Runs in the page. */
export async function strictPuts({ count, restMs }: { count: number; restMs: number }): Promise<number[]> {
  const opening = indexedDB.open('floor', 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore('rows', { autoIncrement: true });
  await new Promise((resolve) => (opening.onsuccess = resolve));
  const taken: number[] = [];
  for (let at = -3; at < count; at += 1) {
    const begun = performance.now();
    const transaction = opening.result.transaction('rows', 'readwrite', { durability: 'strict' });
    transaction.objectStore('rows').put({ at, words: 'x'.repeat(300) });
    await new Promise((resolve) => (transaction.oncomplete = resolve));
    if (at >= 0) taken.push(performance.now() - begun);
    if (restMs > 0) await new Promise((resolve) => setTimeout(resolve, restMs));
  }
  opening.result.close();
  return taken;
}
