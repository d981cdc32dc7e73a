import { kilometresBetween } from '../../shared/lib/distance.ts';
import { positionOf } from '../../shared/lib/position-of.ts';
import type { Reference, Search, Tradie, User } from '../../shared/tables/index.ts';
import type { Committed, Row } from '../../sync-server/testing/memory-store/memory-tables.ts';
import type { Backend } from '../world/backend.ts';
import type { ClientGroup } from './client-group.ts';
import { must } from './violation.ts';

/*
 * What a feed that is held in part must hold (docs/decisions/0021-a-device-holds-its-regions.md), written down a second
 * time.
 */

const townOf = (committed: Committed, id: unknown) =>
  committed.get('reference')?.get(String(id)) as unknown as Reference | undefined;

/** The region of a job by the lists of that version; undefined where they do not say. */
const regionOf = (committed: Committed, { locationId }: Row) => townOf(committed, locationId)?.region ?? undefined;

/** Is the job among those that a device with these regions holds? One that may be anywhere is on every device. */
export function isHeldIn(committed: Committed, job: Row, regions: readonly string[]): boolean {
  const region = regionOf(committed, job);
  return region === undefined || regions.includes(region);
}

/** The regions of a person's business and saved searches; of a search with a distance, all that it reaches. */
function regionsWorkedIn(committed: Committed, userId: string): Set<string> {
  const rowsOf = <Of>(table: string) => [...(committed.get(table)?.values() ?? [])] as unknown as Of[];
  const person = committed.get('users')?.get(userId) as unknown as User | undefined;
  const business = committed.get('tradies')?.get(String(person?.tradieId)) as unknown as Tradie | undefined;
  const worked = new Set<string>();
  const add = (town: Reference | undefined) => {
    if (town !== undefined && town.region !== null) worked.add(town.region);
  };
  add(townOf(committed, business?.locationId));
  const standing = rowsOf<Search>('searches').filter((search) => search.userId === userId && search.removedAt === null);
  for (const { region, locationId, withinKm } of standing) {
    const town = townOf(committed, locationId);
    if (town === undefined && region !== null) worked.add(region);
    add(town);
    const from = town && positionOf(town);
    if (from === undefined || withinKm === null) continue;
    for (const other of rowsOf<Reference>('reference')) {
      const to = positionOf(other);
      if (to !== undefined && kilometresBetween(from, to) <= withinKm) add(other);
    }
  }
  return worked;
}

/** I4, of a feed that is held in part: its regions are those that the person works in, and those they asked for. */
export function i4OwnRegions(
  { committed }: Pick<Backend, 'committed'>,
  { device, database, userId, key }: ClientGroup,
  held: readonly string[],
): void {
  const meta = device.disk.read(database, 'meta') as readonly { key: string; value: unknown }[];
  const asked = (meta.find((entry) => entry.key === 'regions')?.value ?? []) as string[];
  const worked = regionsWorkedIn(committed(), userId);
  const wanted = new Set([...worked, ...asked]);
  const is = held.filter((region) => region !== '');
  must(
    [...wanted].every((region) => is.includes(region)) && is.every((region) => wanted.has(region)),
    'I4',
    key,
    () => `holds the feed of ${is.join()}, and its person works in or asked for ${[...wanted].join()}`,
  );
}
