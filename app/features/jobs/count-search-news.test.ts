import { expect, test } from 'vitest';
import { makeJob, makeTestId } from '../../../shared/testing/make.ts';
import type { Search } from '../../../shared/tables/index.ts';
import { countSearchNews } from './count-search-news.ts';
import type { FeedJob } from './filter-jobs.ts';

const blank: Search = {
  id: makeTestId(),
  userId: makeTestId(),
  name: 'All',
  categoryIds: [],
  region: null,
  locationId: null,
  withinKm: null,
  maxBudget: null,
  urgencies: [],
  words: '',
  lookedUntil: '2026-11-20T00:00:00.000Z',
  createdAt: '2026-11-01T00:00:00.000Z',
  removedAt: null,
};
const search = (changes: Partial<Search>): Search => ({ ...blank, id: makeTestId(), ...changes });
const job = (changes: Partial<FeedJob>) => makeJob({ createdAt: '2026-11-21T00:00:00.000Z', ...changes }) as FeedJob;
const towns: Record<string, { region: string; position: { latitude: number; longitude: number } }> = {
  winton: { region: 'Southland', position: { latitude: -46.143, longitude: 168.323 } },
  lumsden: { region: 'Southland', position: { latitude: -45.741, longitude: 168.443 } },
};
const context = { placeOf: (id: string) => towns[id], hidden: new Set<string>(), interestedIn: new Set<string>() };
const counts = (jobs: FeedJob[], searches: Search[], changes: Partial<typeof context> = {}) => [
  ...countSearchNews(jobs, searches, { ...context, ...changes }).values(),
];

test('what came since one looked is new, and what came before is not', () => {
  const jobs = [
    job({}),
    job({ createdAt: '2026-11-20T00:00:00.000Z' }),
    job({ createdAt: '2026-11-19T00:00:00.000Z' }),
  ];
  expect(counts(jobs, [search({}), search({ lookedUntil: '2026-11-18T00:00:00.000Z' })])).toEqual([1, 3]);
});

test('of a search that was never looked at, what was there when it was saved is not new', () => {
  const asSaved = search({ lookedUntil: null, createdAt: '2026-11-20T12:00:00.000Z' });
  expect(counts([job({}), job({ createdAt: '2026-11-20T11:00:00.000Z' })], [asSaved])).toEqual([1]);
});

test('several trades, a distance, urgency and words count as for alerts; what one has hidden or answered does not', () => {
  const near = job({ categoryId: 'roofer', locationId: 'winton', title: 'Whare roof', urgency: 'urgent' });
  const far = job({ categoryId: 'builder', locationId: 'lumsden', title: 'Deck', urgency: 'slow' });
  const searches = [
    search({ categoryIds: ['roofer', 'builder'] }),
    search({ locationId: 'winton', withinKm: 20 }),
    search({ locationId: 'winton', withinKm: 60 }),
    search({ urgencies: ['urgent', 'soon'] }),
    search({ words: 'WHARE' }),
    search({ categoryIds: ['a trade that is gone'] }),
    search({ locationId: 'a town that is gone', withinKm: 50 }),
  ];
  expect(counts([near, far], searches)).toEqual([2, 1, 2, 1, 1, 0, 0]);
  expect(counts([near, far], [search({})], { hidden: new Set([near.id]) })).toEqual([1]);
  expect(counts([near, far], [search({})], { interestedIn: new Set([far.id]) })).toEqual([1]);
});
