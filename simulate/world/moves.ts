import { createFeedRest } from '../../app/compose/create-feed-rest.ts';
import { createCell } from '../../app/lib/cell.ts';
import type { Search, Tradie } from '../../shared/tables/index.ts';
import { stateOf } from '../checker/collections.ts';
import { regions, type Town } from './geography.ts';
import { ownSearch } from './own-rows.ts';
import { own, ownJob } from './people.ts';
import { on, quoted, steps, type StepContext } from './step.ts';
import { tap } from './tap.ts';

const aTown = ({ world, chance }: StepContext): string => chance.pick(world.geography.towns).id;

/** What changes which regions a job is in, and which a device holds. Only where devices hold the feed in part. */
export const moves = steps({
  'moves a job': {
    weight: 12,
    act: (context) => {
      const { tab } = context;
      const job = ownJob(context);
      if (tab === undefined || job === undefined) return undefined;
      const { id, locationId } = job;
      const town = aTown(context);
      tap(context, tab, 'job.edit', { id, set: { locationId: town }, base: { locationId } });
      return `moves ${quoted(id)} to ${town}`;
    },
  },
  'moves the business': {
    weight: 5,
    devices: on.tradies,
    act: (context) => {
      const { tab, device } = context;
      const profile = own<Tradie>(context, 'tradies', ({ userId }) => userId === device.userId);
      if (tab === undefined || profile === undefined) return undefined;
      const { id, locationId } = profile;
      const town = aTown(context);
      tap(context, tab, 'profile.edit', { id, set: { locationId: town }, base: { locationId } });
      return `moves the business to ${town}`;
    },
  },
  'searches elsewhere': {
    weight: 6,
    devices: on.tradies,
    act: (context) => {
      const { tab, chance } = context;
      const search = ownSearch(context);
      if (tab === undefined || search === undefined) return undefined;
      const { id, region, locationId, withinKm } = search;
      const set: Partial<Search> =
        chance.below(3) === 0
          ? { locationId: null, withinKm: null, region: chance.pick(regions) }
          : { locationId: aTown(context), withinKm: chance.below(2) === 0 ? null : 40, region: null };
      tap(context, tab, 'search.edit', { id, set, base: { region, locationId, withinKm } });
      return `has a saved search look at ${set.locationId ?? set.region}`;
    },
  },
  'looks at other regions': {
    weight: 8,
    devices: on.tradies,
    act: (context) => {
      const { tab, chance, device, world } = context;
      if (tab === undefined) return undefined;
      const asked = regions.filter(() => chance.below(2) === 0);
      const held = stateOf(device.disk, tab.database, 'feed')?.manifest?.regions;
      // A screen offers this where the list is a part.
      if (held === undefined || asked.length === 0) return undefined;
      const here = asked.filter((region) => held.includes(region));
      const { sync, collections, db } = tab;
      const log = () => world.counters.count('told that it was not saved: regions');
      createFeedRest({ db, collections, sync: () => sync, isHeldBack: createCell(false), log }).ask(asked, here);
      return `looks at the jobs in ${asked.join(' and ')}`;
    },
  },
});

/** What an operator does. */
export const corrections = steps({
  'corrects a town': {
    weight: 2,
    act: ({ world, chance }) => {
      const { id } = chance.pick<Town>(world.geography.towns);
      const region = chance.below(5) === 0 ? null : chance.pick(regions);
      void world
        .system(async ({ hold, update }) => {
          const town = await hold('reference' as never, id);
          if (town !== undefined) await update('reference' as never, town, { region } as never);
        })
        .then(
          () => world.counters.count('a town is in another region'),
          () => world.counters.count('the system could not write'),
        );
      return `${id} turns out to be in ${region ?? 'no region that is known'}`;
    },
  },
});
