import { expect, test } from 'vitest';
import { makeJob } from '../../../shared/testing/make.ts';
import { parseSearch, stringifySearch } from '../../lib/read-search.ts';
import { createFindJobs, type FilterContext } from './filter-jobs.ts';
import { filtersOf, readJobSearch, resetFilters, searchOf, type JobFilters } from './job-filters.ts';

const towns: Record<string, string> = { 'southland/winton': 'Southland', 'northland/whangarei': 'Northland' };
const context = (...interested: string[]): FilterContext => ({
  interestedIn: new Set(interested),
  hidden: new Set(),
  shortlisted: new Set(),
  regionOf: (id) => towns[id],
});

const deck = makeJob({
  title: 'Deck in Whangārei',
  description: 'Kwila',
  budgetMax: 9_000,
  locationId: 'northland/whangarei',
  categoryId: 'builder',
});
const roof = makeJob({ title: 'Roof leak', description: 'Near the chimney', budgetMax: 30_000 });
const paint = makeJob({ title: 'Apply paint', description: 'Two rooms', budgetMax: null });
const villa = makeJob({ title: 'Villa piles', description: 'All of them', budgetMax: 80_000 });
const all = [deck, roof, paint, villa];
// All tests share one, as on the screen: what it remembers of one search must not show in the next.
const findJobs = createFindJobs();
const titles = (filters: JobFilters, with_ = context()) => findJobs(all, filters, with_).map((job) => job.title);

test('the budget starts at 10,000; reset shows everything, and no budget always passes [§9]', () => {
  expect(titles(filtersOf({}))).toEqual(['Apply paint', 'Deck in Whangārei']);
  expect(titles(resetFilters)).toEqual(['Villa piles', 'Apply paint', 'Roof leak', 'Deck in Whangārei']);
  expect(titles({ ...resetFilters, budget: 0 })).toEqual(['Apply paint']);
});

test('text is found in title and description, without macrons and case [§2 /find-jobs, §offline]', () => {
  expect(titles({ ...resetFilters, text: ' WHANGAREI ' })).toEqual(['Deck in Whangārei']);
  expect(titles({ ...resetFilters, text: 'chimney' })).toEqual(['Roof leak']);
});

test('jobs of several trades stand in the one order of the list, each once, also where an address names a trade twice', () => {
  const ofTrade = (title: string, categoryId: string, day: number) =>
    makeJob({ title, categoryId, createdAt: `2026-03-0${day}T00:00:00.000Z` });
  const jobs = [
    ofTrade('Third', 'builder', 1),
    ofTrade('Second', 'plumber', 2),
    ofTrade('Not asked for', 'roofer', 3),
    ofTrade('First', 'builder', 4),
  ];
  for (const categoryIds of [
    ['builder', 'plumber'],
    ['plumber', 'builder', 'plumber', 'unknown'],
  ])
    expect(findJobs(jobs, { ...resetFilters, categoryIds }, context()).map(({ title }) => title)).toEqual([
      'First',
      'Second',
      'Third',
    ]);
  expect(findJobs(jobs, { ...resetFilters, categoryIds: ['unknown'] }, context())).toEqual([]);
});

test('sorts by name and by budget, jobs without a budget last', () => {
  expect(titles({ ...resetFilters, sort: 'a-z' })).toEqual([
    'Apply paint',
    'Deck in Whangārei',
    'Roof leak',
    'Villa piles',
  ]);
  expect(titles({ ...resetFilters, sort: 'highest' })).toEqual([
    'Villa piles',
    'Roof leak',
    'Deck in Whangārei',
    'Apply paint',
  ]);
  expect(titles({ ...resetFilters, sort: 'lowest' })).toEqual([
    'Deck in Whangārei',
    'Roof leak',
    'Villa piles',
    'Apply paint',
  ]);
});

test('place, trade and interest narrow the list', () => {
  expect(titles({ ...resetFilters, region: 'Northland' })).toEqual(['Deck in Whangārei']);
  expect(titles({ ...resetFilters, locationId: 'southland/winton', sort: 'a-z' })).toEqual([
    'Apply paint',
    'Roof leak',
    'Villa piles',
  ]);
  expect(titles({ ...resetFilters, categoryIds: ['builder'] })).toEqual(['Deck in Whangārei']);
  expect(titles({ ...resetFilters, showOthers: false }, context(roof.id))).toEqual(['Roof leak']);
  expect(titles({ ...resetFilters, showInterested: false, sort: 'a-z' }, context(roof.id))).not.toContain('Roof leak');
});

test('the address carries the filters there and back, and nonsense in it is ignored', () => {
  const filters = { ...resetFilters, text: 'roof', sort: 'lowest' as const, showOthers: false, region: 'Otago' };
  expect(filtersOf(searchOf(filters))).toEqual(filters);
  expect(searchOf(filtersOf({}))).toEqual({});
  expect(filtersOf(readJobSearch({ max: 'lots', sort: 'x', q: '12', interested: 'maybe' }))).toEqual({
    ...filtersOf({}),
    text: '12',
  });
});

test('a hidden job is in no list but that of the hidden ones', () => {
  const found = (filters: JobFilters) =>
    createFindJobs()([deck, roof, paint], filters, { ...context(), hidden: new Set([roof.id]) }).map(({ id }) => id);
  expect(found(resetFilters)).not.toContain(roof.id);
  expect(found({ ...resetFilters, onlyHidden: true })).toEqual([roof.id]);
});

test('what is saved for later is in a list of its own, also what was hidden afterwards, and stays in the list', () => {
  const marks = { shortlisted: new Set([roof.id, paint.id]), hidden: new Set([roof.id]) };
  const found = (filters: JobFilters) =>
    createFindJobs()([deck, roof, paint], filters, { ...context(), ...marks }).map(({ id }) => id);
  expect(new Set(found({ ...resetFilters, onlyShortlisted: true }))).toEqual(new Set([roof.id, paint.id]));
  expect(new Set(found(resetFilters))).toEqual(new Set([deck.id, paint.id]));
});

const far = makeJob({ title: 'Far', locationId: 'northland/whangarei', createdAt: '2026-03-01T00:00:00.000Z' });
const near = makeJob({ title: 'Near', locationId: 'southland/winton', createdAt: '2026-01-01T00:00:00.000Z' });
const nowhere = makeJob({ title: 'Nowhere', locationId: null, createdAt: '2026-04-01T00:00:00.000Z' });
const distances = new Map([
  ['southland/winton', 0],
  ['northland/whangarei', 1_230],
]);
const found = (filters: Partial<JobFilters>, more: Partial<FilterContext> = { distances }) =>
  createFindJobs()([far, nowhere, near], { ...resetFilters, ...filters }, { ...context(), ...more }).map(
    ({ title }) => title,
  );

test('the nearest come first, and jobs at an unknown distance last', () => {
  expect(found({ sort: 'nearest' })).toEqual(['Near', 'Far', 'Nowhere']);
});

test('nearest shows the newest first while it is not known where the tradie is', () => {
  expect(found({ sort: 'nearest' }, {})).toEqual(['Nowhere', 'Far', 'Near']);
});

test('a distance leaves what is within it, and nothing while it is not known from where is hidden by it', () => {
  expect(found({ withinKm: 100 })).toEqual(['Near']);
  expect(found({ withinKm: 1_230, sort: 'nearest' })).toEqual(['Near', 'Far']);
  expect(found({ withinKm: 100 }, {})).toEqual(['Nowhere', 'Far', 'Near']);
});

test('from a chosen town, over the border of its region; a town without a position is near to itself alone', () => {
  const from = { withinKm: 50, locationId: 'northland/whangarei', region: 'Northland' };
  const gore = new Map([
    ['northland/whangarei', 0],
    ['southland/winton', 40],
  ]);
  expect(found(from, { distances, distancesFrom: () => gore })).toEqual(['Far', 'Near']);
  expect(found(from, { distances, distancesFrom: () => undefined })).toEqual(['Far']);
});

test('filters remembered before there were distances still apply, and a distance that is none is ignored', () => {
  expect(filtersOf(readJobSearch({ sort: 'lowest', max: 50_000 }))).toEqual({ ...resetFilters, sort: 'lowest' });
  for (const within of [0, -5, 2.5, 9_999, '50 km', '', null])
    expect(filtersOf(readJobSearch({ within })).withinKm).toBeNull();
  const filters = { ...resetFilters, withinKm: 50, sort: 'nearest' as const };
  expect(filtersOf(readJobSearch({ ...searchOf(filters) }))).toEqual(filters);
  expect(filtersOf(readJobSearch(parseSearch(stringifySearch({ ...searchOf(filters) }))))).toEqual(filters);
});

test('a budget with cents in an address is whole dollars, so that the search can be saved', () => {
  expect(filtersOf(readJobSearch({ max: 123.45 })).budget).toBe(123);
  expect(filtersOf(readJobSearch({ max: 60_000 })).budget).toBe(filtersOf({}).budget);
});
