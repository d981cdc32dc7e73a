import { describe, expect, it } from 'vitest';
import { makeTradie } from '../../../shared/testing/make.ts';
import { commonTrades, createSortTradies, filterTradies } from './filter-tradies.ts';
import { filtersOf, searchOf, readTradieSearch } from './tradie-filters.ts';

const regions: Record<string, string> = {
  'northland/kerikeri': 'Northland',
  'otago/dunedin': 'Otago',
  'otago/palmerston': 'Otago',
};
const regionOf = (id: string) => regions[id];
const named = (businessName: string, changes = {}) => makeTradie({ businessName, locationId: null, ...changes });

const zealous = named('Zealous Painting', { categoryIds: ['painter'], locationId: 'otago/dunedin' });
const aroha = named('Āroha Electrical', { categoryIds: ['electrician', 'solar'], locationId: 'northland/kerikeri' });
const bluff = named('Bluff Builders', { categoryIds: ['builder'], locationId: 'otago/palmerston' });
const ten = named('Bluff Builders 10', { categoryIds: ['builder', 'painter'] });
const two = named('Bluff Builders 2');
const sorted = createSortTradies()([zealous, ten, two, bluff, aroha]);
const names = (search: Record<string, string>) =>
  filterTradies(sorted, filtersOf(readTradieSearch(search)), regionOf).map((tradie) => tradie.businessName);

describe('finding tradies', () => {
  it('goes from A to Z as New Zealand reads it, macrons beside their letter and numbers by size [§9]', () => {
    expect(names({})).toEqual([
      'Āroha Electrical',
      'Bluff Builders',
      'Bluff Builders 2',
      'Bluff Builders 10',
      'Zealous Painting',
    ]);
  });

  it('is the same list however it came about: grown, with some gone, or at once', () => {
    const sort = createSortTradies();
    for (const tradies of [
      [bluff, zealous],
      [zealous, bluff, two],
    ])
      sort(tradies);
    expect(sort([two, aroha, ten, zealous])).toEqual([aroha, two, ten, zealous]);
  });

  it('goes from Z to A', () => {
    expect(names({ sort: 'z-a' })).toEqual([
      'Zealous Painting',
      'Bluff Builders 10',
      'Bluff Builders 2',
      'Bluff Builders',
      'Āroha Electrical',
    ]);
  });

  it('finds a name without its macron and without its capitals', () => {
    expect(names({ q: ' aroha ELEC ' })).toEqual(['Āroha Electrical']);
  });

  it('shows tradies of any of the chosen trades', () => {
    expect(names({ trades: 'painter,solar' })).toEqual(['Āroha Electrical', 'Bluff Builders 10', 'Zealous Painting']);
  });

  it('narrows to a region, then to a town in it', () => {
    expect(names({ region: 'Otago' })).toEqual(['Bluff Builders', 'Zealous Painting']);
    expect(names({ region: 'Otago', town: 'otago/dunedin' })).toEqual(['Zealous Painting']);
  });

  it('stands in the address as short as it can be, and comes back from there', () => {
    const search = {
      q: 'ōpua',
      trades: 'builder,painter',
      region: 'Otago',
      town: 'otago/dunedin',
      sort: 'z-a' as const,
    };
    expect(searchOf(filtersOf(search))).toEqual(search);
    expect(searchOf(filtersOf({}))).toEqual({});
  });

  it('takes an address with a changed filter as one without that filter', () => {
    expect(filtersOf(readTradieSearch({ region: '', town: '', q: '', trades: '' }))).toEqual(filtersOf({}));
    expect(filtersOf(readTradieSearch({ sort: 'sideways', q: '42' }))).toMatchObject({ sort: 'a-z', text: '42' });
  });
});

it('the trades that most tradies work in stand first, however they come', () => {
  expect(commonTrades(sorted, 2)).toEqual(['builder', 'painter']);
  expect(commonTrades([...sorted].reverse(), 4)).toEqual(['builder', 'painter', 'electrician', 'solar']);
});
