import type { z } from 'zod/mini';
import type { pushedData } from '../../shared/protocol/push-message.ts';
import type { CollectionDb } from '../db/person-db.ts';
import { collectionStoreNames, stateOf } from './collection-dbs.ts';
import { heldRegions } from './held-regions.ts';
import { isNewer, padVersion } from './collection-version.ts';

type Pushed = Pick<z.output<typeof pushedData>, 'feed' | 'jobs' | 'versions'>;

/**
 * Keeps the jobs that came with an alert as changes of the feed, between the version that is here and the next one: the
 * next answer brings them whole. What the device has already stays as it is: a late message brings no closed job back,
 * and one whose words were cut to fit takes the place of none that is here whole, which no answer would bring again. Of
 * a feed that is held in part no other region's job is kept: nothing would say later that it has closed.
 * `readRegion`: of a town; '' where the lists name none, undefined where they do not have the town, and the job may be
 * of any region. Returns how many were kept.
 */
export async function keepPushedJobs(
  db: CollectionDb,
  { feed, jobs, versions = [] }: Pushed,
  readRegion: (town: string) => Promise<string | undefined> = async () => undefined,
): Promise<number> {
  const regionOf = new Map<string | null, string | undefined>();
  if (heldRegions((await stateOf(db, 'feed')).manifest).length > 0)
    for (const town of jobs.map(townOf)) if (town !== null) regionOf.set(town, await readRegion(town));
  return db.transaction('rw', [...collectionStoreNames], async () => {
    const state = await stateOf(db, 'feed');
    const { version: here } = state;
    if (state.denied || here === null || state.timeline !== feed.timeline) return 0;
    if (!isNewer(feed.version, here)) return 0;
    // After all that is here and before any later answer, also one that was under way: a tab reads only what is newer
    // than it knows.
    const version = `${padVersion(here)}.${padVersion(feed.version)}`;
    const news = jobs.filter((_job, at) => isNewer(versions[at] ?? feed.version, here));
    const held = heldRegions(state.manifest);
    const isHeld = (town: string | null) => {
      const region = town === null ? '' : regionOf.get(town);
      return held.length === 0 || (region !== undefined && held.includes(region));
    };
    const known = await db.fresh.bulkGet(news.map(({ id }) => ['feed', id] as ['feed', string]));
    const wanted = news.filter(
      (job, at) => isHeld(townOf(job)) && (known[at] === undefined || known[at].version < version),
    );
    await db.fresh.bulkPut(wanted.map((row) => ({ shelf: 'feed' as const, id: row.id, row, version })));
    return wanted.length;
  });
}

const townOf = ({ locationId }: Pushed['jobs'][number]) => (typeof locationId === 'string' ? locationId : null);

/** For `readRegion`: of the town as the lists have it. */
export const regionOfTown = (town: { readonly region: string | null } | undefined): string | undefined =>
  town && (town.region ?? '');
