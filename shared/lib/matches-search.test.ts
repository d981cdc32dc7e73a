import { describe, expect, it } from 'vitest';
import { matchesSearch, type SearchedJob, type SearchTerms } from './matches-search.ts';

const anything: SearchTerms = {
  categoryIds: [],
  region: null,
  locationId: null,
  withinKm: null,
  maxBudget: null,
  urgencies: [],
  words: '',
};
const gate: SearchedJob = {
  categoryId: 'builder',
  locationId: 'southland/winton',
  budgetMax: 1_200,
  urgency: 'soon',
  title: 'Fix the gate',
  description: 'At the back of the whare in Ōtautau Road.',
};
const places = new Map([
  ['southland/winton', { region: 'Southland', position: { latitude: -46.142, longitude: 168.325 } }],
  ['southland/invercargill', { region: 'Southland', position: { latitude: -46.413, longitude: 168.347 } }],
  ['otago/dunedin', { region: 'Otago', position: { latitude: -45.874, longitude: 170.504 } }],
  ['southland/nowhere', { region: 'Southland', position: undefined }],
]);
const finds = (terms: Partial<SearchTerms>, job: Partial<SearchedJob> = {}) =>
  matchesSearch({ ...anything, ...terms }, { ...gate, ...job }, (id) => places.get(id));

describe('a saved search finds a job', () => {
  it.each<[string, Partial<SearchTerms>, Partial<SearchedJob>?]>([
    ['that wants nothing in particular', {}],
    ['of one of its trades', { categoryIds: ['plumber', 'builder'] }],
    ['in its region', { region: 'Southland' }],
    ['in its town', { locationId: 'southland/winton' }],
    ['within its distance', { locationId: 'southland/invercargill', withinKm: 40 }],
    [
      'in its town, where it has no position',
      { locationId: 'southland/nowhere', withinKm: 40 },
      { locationId: 'southland/nowhere' },
    ],
    ['at its budget exactly', { maxBudget: 1_200 }],
    ['without a budget', { maxBudget: 100 }, { budgetMax: null }],
    ['as urgent as it wants', { urgencies: ['soon'] }],
    ['with its words, in any case and spelling of macrons', { words: ' otautau ROAD ' }],
  ])('%s', (_what, terms, job) => {
    expect(finds(terms, job)).toBe(true);
  });

  it.each<[string, Partial<SearchTerms>, Partial<SearchedJob>?]>([
    ['of another trade', { categoryIds: ['plumber'] }],
    ['in another region', { region: 'Otago' }],
    ['without a place, where it wants a region', { region: 'Southland' }, { locationId: null }],
    ['in another town', { locationId: 'southland/invercargill' }],
    ['too far away', { locationId: 'southland/invercargill', withinKm: 20 }],
    ['from where nobody knows how far it is', { locationId: 'southland/nowhere', withinKm: 2_000 }],
    ['above its budget', { maxBudget: 1_199 }],
    ['that is more urgent', { urgencies: ['slow'] }],
    ['with its words in another order', { words: 'gate fix' }],
  ])('not one %s', (_what, terms, job) => {
    expect(finds(terms, job)).toBe(false);
  });
});
