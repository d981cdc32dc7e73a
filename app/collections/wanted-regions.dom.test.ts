import { afterEach, beforeEach, expect, test } from 'vitest';
import { openCollections } from './testing/open-collections.ts';
import { readWantedRegions, wantRegions } from './wanted-regions.ts';

let device: Awaited<ReturnType<typeof openCollections>>;
beforeEach(async () => {
  device = await openCollections();
});
afterEach(() => device.close());

test('regions that are chosen together stay together, and those of the next choice push out what was chosen before', async () => {
  const want = (regions: string[], here: string[] = []) => wantRegions(device.personDb, regions, here);
  const wanted = () => readWantedRegions(device.personDb);
  expect(await want(['Otago', 'Waikato', 'Nelson', 'Tasman'])).toBe(true);
  expect(await wanted()).toEqual(['Otago', 'Waikato', 'Nelson', 'Tasman']);
  // Southland is here because the person works there, and takes no place.
  expect(await want(['Southland', 'Tasman'], ['Southland', 'Tasman'])).toBe(false);
  expect(await wanted()).toEqual(['Tasman', 'Otago', 'Waikato']);
  expect(await want(['Gisborne'])).toBe(true);
  expect(await wanted()).toEqual(['Gisborne', 'Tasman', 'Otago']);
});
