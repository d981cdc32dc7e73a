import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { must } from '../../shared/lib/must.ts';
import type { CollectionMemory } from './collection-memory.ts';
import { makeFeedJob } from './testing/build-snapshot.ts';
import { jobs, openFixedFeed, still } from './testing/fixed-feed.ts';

/* What an answer brings, shown in the list before it is on the disk. */

let device: Awaited<ReturnType<typeof openFixedFeed>>;
beforeEach(async () => {
  device = await openFixedFeed();
});
afterEach(() => device.close());

const asked = { version: '40', timeline: 'first' };
const ids = (memory: CollectionMemory<'feed'>) => new Set(memory.current().rows.map(({ id }) => id));

async function openWhole() {
  await device.whole('40');
  const memory = device.open();
  await still();
  const seen: ReturnType<typeof ids>[] = [];
  memory.subscribe(() => seen.push(ids(memory)));
  return { memory, seen };
}

test('a change is in the list at once, and the disk that then has it too draws the list no second time', async () => {
  const { memory, seen } = await openWhole();
  const answer = { puts: [makeFeedJob()], removes: [must(jobs[3], 'a job').id], version: '41' };
  const settle = must(memory.showEarly(answer, asked), 'shown early');
  const { rows } = memory.current();
  expect([ids(memory).has(answer.puts[0]!.id), ids(memory).has(jobs[3]!.id)]).toEqual([true, false]);
  expect([memory.find(answer.puts[0]!.id), memory.find(jobs[3]!.id)]).toEqual([answer.puts[0], undefined]);
  await device.take(answer, '40');
  await settle();
  await still();
  expect(memory.current().rows).toBe(rows);
  expect(seen.every((one) => one.has(answer.puts[0]!.id) && !one.has(jobs[3]!.id))).toBe(true);
});

test('a change that was not written, because another tab leads now, is taken back', async () => {
  const { memory } = await openWhole();
  const before = ids(memory);
  const edited = { ...must(jobs[3], 'a job'), title: 'Another title' };
  const settle = must(
    memory.showEarly({ puts: [makeFeedJob(), edited], removes: [jobs[4]!.id], version: '41' }, asked),
    'shown early',
  );
  expect(memory.find(edited.id)).toEqual(edited);
  await settle();
  expect([ids(memory), memory.find(edited.id)]).toEqual([before, jobs[3]]);
});

test('a change that cannot be read back from the disk is taken back', async () => {
  const { memory } = await openWhole();
  const settle = must(memory.showEarly({ puts: [], removes: [jobs[4]!.id], version: '41' }, asked), 'shown early');
  vi.spyOn(device.personDb.shelfStates, 'get').mockRejectedValueOnce(new Error('unread'));
  await settle();
  expect(ids(memory).has(jobs[4]!.id)).toBe(true);
});

test('an answer to another question than memory would ask is not shown before it is written', async () => {
  const { memory } = await openWhole();
  const answer = { puts: [], removes: [jobs[4]!.id], version: '41' };
  const shown = [
    memory.showEarly(answer, { ...asked, version: '39' }),
    memory.showEarly(answer, { ...asked, timeline: 'second' }),
    memory.showEarly({ ...answer, timeline: 'second' }, asked),
    memory.showEarly({ denied: true }, asked),
    memory.showEarly({ puts: [], removes: [], version: '41' }, asked),
  ];
  expect(shown.every((one) => one === undefined)).toBe(true);
  expect(ids(memory).has(jobs[4]!.id)).toBe(true);
});

test('nothing is shown early to a person whose subscription has ended', async () => {
  await device.whole('40');
  const gate = { current: () => 'closed' as const, subscribe: () => () => undefined };
  const memory = device.open({ gate });
  await still();
  expect(memory.showEarly({ puts: [makeFeedJob()], removes: [], version: '41' }, asked)).toBeUndefined();
  expect(memory.current()).toMatchObject({ status: 'hidden', rows: [] });
});

test('a second answer waits for the disk while the first is on its way there', async () => {
  const { memory } = await openWhole();
  const [first, second] = [makeFeedJob(), makeFeedJob()];
  const settle = must(memory.showEarly({ puts: [first], removes: [], version: '41' }, asked), 'shown early');
  expect(memory.showEarly({ puts: [second], removes: [], version: '42' }, { ...asked, version: '41' })).toBeUndefined();
  await device.take({ puts: [first], removes: [], version: '41' }, '40');
  await settle();
  await device.take({ puts: [second], removes: [], version: '42' }, '41');
  await still();
  expect([ids(memory).has(first.id), ids(memory).has(second.id)]).toEqual([true, true]);
});
