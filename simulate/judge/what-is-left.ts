import { unpackSegment } from '../../shared/protocol/segment.ts';
import type { FreshEntry, SegmentEntryOnDevice, ShelfState } from '../../app/db/person-db.ts';
import type { Row } from '../server/memory-tables.ts';
import type { World } from '../world/world.ts';
import type { Room } from './room.ts';
import { look, restored, type Desk } from './sighting.ts';

/** The feed as this device would show it; undefined where a piece of it is not here. */
export function feedOn({ device: { disk }, database }: Room): Map<string, Row> | undefined {
  const segments = disk.read(database, 'segments') as SegmentEntryOnDevice[];
  const state = (disk.read(database, 'shelfStates') as ShelfState[]).find(({ shelf }) => shelf === 'feed');
  if (state?.manifest == null || state.coming !== null) return undefined;
  const rows = new Map<string, Row>();
  for (const { hash } of state.manifest.segments) {
    const segment = segments.find((one) => one.hash === hash);
    if (segment === undefined) return undefined;
    for (const row of unpackSegment('feed', segment.text) as unknown as Row[]) rows.set(String(row['id']), row);
  }
  for (const { id, row } of disk.read(database, 'fresh') as FreshEntry[]) {
    if (row === null) rows.delete(id);
    else rows.set(id, row as Row);
  }
  return rows;
}

/** When a story has ended: the server's rows, and what lies on each device for whoever is signed in there. Plain data, to be judged elsewhere. */
export interface Left {
  at: string;
  tables: Record<string, Row[]>;
  rooms: { key: string; userId: string; desk: Desk; feed: Row[] | undefined }[];
}

export function whatIsLeft({ backend, devices, judge, now }: World): Left {
  return {
    at: now().toISOString(),
    tables: Object.fromEntries(Array.from(backend.committed(), ([name, rows]) => [name, [...rows.values()]])),
    rooms: devices.map((device) => {
      const room = judge.roomOf(device, device.userId);
      const feed = feedOn(room);
      return { key: room.key, userId: room.userId, desk: restored(look(device.disk, room.database)!), feed: feed === undefined ? undefined : [...feed.values()] };
    }),
  };
}
