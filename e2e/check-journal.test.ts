import { describe, expect, test, vi } from 'vitest';
import { checkJournal, checkPhotos, nothingWrong, type Verdict } from './check-journal.ts';
import { photoBytes, type Chain, type JournalEntry } from './page-writer.ts';

/* The checker of the browser suite must fail: each planted bug is named, and only that. */

interface Row {
  id: string;
  title: string;
  status: 'open' | 'closed';
}

const chain: Chain = {
  id: 'job',
  titles: ['Fence', 'Fence, edit 1', 'Fence, edit 1'],
  steps: [
    { name: 'job.post', args: {} },
    { name: 'job.edit', args: {} },
    { name: 'job.close', args: {} },
  ],
};
const told = (...lines: readonly [JournalEntry['word'], number][]): JournalEntry[] =>
  lines.map(([word, step]) => ({ word, step, uid: `uid-${step}`, id: 'job' }));
const row = (title: string, status: Row['status'] = 'open', id = 'job'): Row => ({ id, title, status });

function verdictOn(
  rows: readonly Row[],
  journal: readonly JournalEntry[],
  { isQuiet = true, chains = [chain] } = {},
): Promise<Verdict> {
  return checkJournal({ get: async <T>() => rows as T }, chains, journal, isQuiet);
}

describe('nothing is wrong', () => {
  test.each([
    ['nothing was begun', [], []],
    [
      'all was saved, applied and stands',
      [row('Fence, edit 1', 'closed')],
      told(['saved', 0], ['applied', 0], ['saved', 1], ['saved', 2], ['applied', 2]),
    ],
    ['more stands than the page could say before it was killed', [row('Fence, edit 1')], told(['saved', 0])],
    ['what failed or was rejected stands nowhere', [], told(['failed', 0])],
  ])('where %s', async (_what, rows, journal) => {
    expect(await verdictOn(rows, journal)).toEqual(nothingWrong);
  });

  test('with what was saved and is still pending, as long as something is pending', async () => {
    expect(await verdictOn([], told(['saved', 0]), { isQuiet: false })).toEqual(nothingWrong);
  });
});

describe('lost', () => {
  test.each([
    ['a post that was called saved', [], told(['saved', 0])],
    ['an edit after a post that stands', [row('Fence')], told(['saved', 0], ['applied', 0], ['saved', 1])],
    ['a closing', [row('Fence, edit 1')], told(['saved', 0], ['saved', 1], ['saved', 2])],
  ])('%s', async (_what, rows, journal) => {
    expect(await verdictOn(rows, journal)).toEqual({ ...nothingWrong, lost: ['job'] });
  });
});

describe('early', () => {
  test.each([
    ['called done, and it is nowhere', [], told(['applied', 0])],
    ['an edit called done over the old title', [row('Fence')], told(['applied', 1])],
  ])('%s, however much still waits', async (_what, rows, journal) => {
    expect(await verdictOn(rows, journal, { isQuiet: false })).toEqual({ ...nothingWrong, early: ['job'] });
  });
});

test('duplicated: one job in two rows', async () => {
  expect(await verdictOn([row('Fence'), row('Fence')], told(['saved', 0]))).toEqual({
    ...nothingWrong,
    doubled: ['job'],
  });
});

describe('strange', () => {
  test.each([
    ['the same job again under an id that no page gave', [row('Fence'), row('Fence', 'open', 'another')], ['another']],
    ['a title that no person wrote', [row('Shed')], ['job Shed']],
    ['closed under the title of an earlier step', [row('Fence', 'closed')], ['job Fence']],
  ])('%s', async (_what, rows, strange) => {
    expect(await verdictOn(rows, told(['saved', 0]))).toEqual({ ...nothingWrong, strange });
  });

  test('closed though the journal has no closing', async () => {
    const open = { ...chain, titles: chain.titles.slice(0, 2), steps: chain.steps.slice(0, 2) };
    expect(await verdictOn([row('Fence, edit 1', 'closed')], told(['saved', 1]), { chains: [open] })).toEqual({
      ...nothingWrong,
      strange: ['job Fence, edit 1'],
    });
  });
});

describe('a photo of a job that was called saved', () => {
  const photographed: Chain = {
    id: 'job',
    titles: ['Fence'],
    steps: [{ name: 'job.post', args: {}, photo: { id: 'photo', path: 'job/1-kept.jpg' } }],
  };
  const there = 'http://server/job/1-kept.jpg';
  const check = (images: readonly string[], bytes = photoBytes, journal = told(['saved', 0])) => {
    vi.stubGlobal('fetch', async () => new Response(bytes));
    return checkPhotos({ get: async <T>() => [{ id: 'job', images }] as T }, [photographed], journal);
  };

  test('is right where it is there, once and whole; and where the job was never called saved', async () => {
    expect(await check([there])).toEqual([]);
    expect(await check([], photoBytes, [])).toEqual([]);
  });

  test.each([
    ['is nowhere', [], photoBytes],
    ['is there twice', [there, there], photoBytes],
    ['is another', ['http://server/job/2-kept.jpg'], photoBytes],
    ['was cut short', [there], photoBytes.slice(0, 1_000)],
  ])('%s', async (_what, images, bytes) => {
    expect(await check(images, bytes)).toEqual([expect.stringMatching(/^job\/1-kept\.jpg: /)]);
  });
});
