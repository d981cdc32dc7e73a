import { expect, test } from 'vitest';
import { matchesSearch } from '../../../shared/lib/matches-search.ts';
import { makeJob, makeReference } from '../../../shared/testing/make.ts';
import { createReferenceLists } from '../../lib/reference-lists.ts';
import { distancesFrom } from './distances.ts';
import { createFindJobs } from './filter-jobs.ts';
import { resetFilters } from './job-filters.ts';
import { filtersOfSearch, nameOfSearch, savable, searchOfFilters } from './search-terms.ts';

const town = (id: string, name: string, latitude: number, longitude: number) =>
  makeReference({ id, kind: 'location', name, region: id.split('/')[0] ?? '', latitude, longitude });
const lists = createReferenceLists([
  town('Southland/gore', 'Gore', -46.098, 168.946),
  town('Southland/winton', 'Winton', -46.142, 168.325),
  town('Otago/tapanui', 'Tapanui', -45.942, 169.262),
  town('Otago/dunedin', 'Dunedin', -45.874, 170.504),
]);
const gore = lists.place('Southland/gore')!;
const jobs = ['Southland/gore', 'Southland/winton', 'Otago/tapanui', 'Otago/dunedin', null].map((locationId) =>
  makeJob({ locationId, budgetMax: null }),
);

test('a saved search finds what the list showed when it was saved, from a town and over the border of its region', () => {
  for (const withinKm of [5, 30, 50, 200, null]) {
    const filters = { ...resetFilters, region: gore.region, locationId: gore.id, withinKm };
    const search = searchOfFilters(filters);
    const alerted = jobs.filter((job) =>
      matchesSearch(search, job, (id) => {
        const place = lists.place(id);
        return place && { region: place.region, position: place.position };
      }),
    );
    const listed = createFindJobs()(jobs, filters, {
      interestedIn: new Set(),
      hidden: new Set(),
      shortlisted: new Set(),
      regionOf: (id) => lists.place(id)?.region,
      distancesFrom: (id) => distancesFrom(lists.place(id)!.position!, lists.places),
    });
    expect(new Set(listed)).toEqual(new Set(alerted));
    expect(filtersOfSearch(resetFilters, search)).toEqual(filters);
  }
});

test('a distance from where the tradie is is saved from a town: the server never learns where a phone is', () => {
  const filters = { ...resetFilters, withinKm: 25 };
  expect(searchOfFilters(savable(filters, gore))).toMatchObject({ locationId: gore.id, withinKm: 25 });
  expect(searchOfFilters(savable(filters, undefined))).toMatchObject({ locationId: null, withinKm: null });
  expect(searchOfFilters(filters)).toMatchObject({ locationId: null, withinKm: null });
});

test('the name of a search says how far from where', () => {
  const name = nameOfSearch(searchOfFilters(savable({ ...resetFilters, withinKm: 25 }, gore)), lists);
  expect(name).toBe('All trades within 25 km of Gore, Southland');
});
