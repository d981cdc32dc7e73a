import type { Row } from '../../sync-server/testing/memory-store/memory-tables.ts';
import type { World } from '../world/world.ts';
import { collectionOn, stateOf } from './collections.ts';
import type { ClientGroup } from './client-group.ts';
import { readSnapshot, withServerRows, type PrivateRows } from './disk-snapshot.ts';

/**
 * The feed as this device would show it; undefined where a segment of it, or of the manifest that is loading, is
 * missing.
 */
function feedOn({ device: { disk }, database }: ClientGroup): Map<string, Row> | undefined {
  return stateOf(disk, database, 'feed')?.coming === null ? collectionOn(disk, database, 'feed') : undefined;
}

/**
 * The server's rows at the end of a run, and what each device holds for the person who is signed in there. Plain data,
 * to be checked elsewhere. `regions`: of the feed, where it is held in part.
 */
export interface FinalState {
  at: string;
  tables: Record<string, Row[]>;
  groups: {
    key: string;
    userId: string;
    privateRows: PrivateRows;
    feed: Row[] | undefined;
    regions: readonly string[] | undefined;
  }[];
}

export function finalState({ backend, devices, checker, now }: World): FinalState {
  return {
    at: now().toISOString(),
    tables: Object.fromEntries(Array.from(backend.committed(), ([name, rows]) => [name, [...rows.values()]])),
    groups: devices.map((device) => {
      const group = checker.groupOf(device, device.userId);
      const feed = feedOn(group);
      return {
        key: group.key,
        userId: group.userId,
        privateRows: withServerRows(readSnapshot(device.disk, group.database)!),
        feed: feed === undefined ? undefined : [...feed.values()],
        regions: stateOf(device.disk, group.database, 'feed')?.manifest?.regions,
      };
    }),
  };
}
