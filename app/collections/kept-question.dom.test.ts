import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openPersonDb, openPublicDb, type CollectionDb, type PersonDb } from '../db/person-db.ts';
import { createKeptQuestion, type ReadQuestion } from './kept-question.ts';

let personDb: PersonDb;
let publicDb: CollectionDb;
let onlyNear = false;
let kept: ReturnType<typeof createKeptQuestion>;
const found = (version: string | null): ReadQuestion => ({
  question: { versions: { feed: version }, timelines: {}, marks: {} },
  positions: [],
  long: [],
});
const read = vi.fn(async () => found('7'));

beforeEach(async () => {
  personDb = openPersonDb('kept-question');
  publicDb = openPublicDb();
  await personDb.meta.put({ key: 'cookie', value: 'a' });
  await personDb.rows.read();
  onlyNear = false;
  kept = createKeptQuestion({ personDb, publicDb }, () => onlyNear);
  read.mockClear();
});
afterEach(async () => {
  kept.stop();
  await personDb.delete();
  await publicDb.delete();
});

const state = { version: '8', timeline: 't', manifest: null, coming: null, denied: false, updatedAt: null };

test('is read once, and again after each that changes it', async () => {
  await kept.read(read);
  await kept.read(read);
  const calls = [read.mock.calls.length];
  const changes: (() => unknown)[] = [
    () => personDb.shelfStates.put({ ...state, shelf: 'feed' }),
    () => publicDb.shelfStates.put({ ...state, shelf: 'reference' }),
    () => personDb.meta.put({ key: 'filters', value: { region: 'Southland' } }),
    () => (onlyNear = true),
    () => kept.drop(),
  ];
  for (const change of changes) {
    await change();
    await kept.read(read);
    calls.push(read.mock.calls.length);
  }
  expect(calls).toEqual([1, 2, 3, 4, 5, 6]);
});

test('what else is written leaves it as it is', async () => {
  await kept.read(read);
  await personDb.log.add({ at: '', event: '', detail: '' } as Parameters<typeof personDb.log.add>[0]);
  await personDb.meta.put({ key: 'cookie', value: 'c' });
  await kept.read(read);
  expect(read).toHaveBeenCalledTimes(1);
});

test('a question for segments is not asked twice, nor is one during which something was written', async () => {
  await kept.read(async () => found(null));
  await kept.read(async () => {
    await personDb.shelfStates.put({ ...state, shelf: 'feed' });
    return found('7');
  });
  await kept.read(read);
  expect(read).toHaveBeenCalledTimes(1);
});
