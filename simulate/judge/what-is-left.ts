import type { Row } from '../server/memory-tables.ts';
import type { World } from '../world/world.ts';
import { collectionOn, stateOf } from './collections.ts';
import type { Room } from './room.ts';
import { look, restored, type PrivateRows } from './sighting.ts';

/** The feed as this device would show it; undefined where a piece of it, or of the one that is to follow it, is not here. */
function feedOn({ device: { disk }, database }: Room): Map<string, Row> | undefined {
  return stateOf(disk, database, 'feed')?.coming === null ? collectionOn(disk, database, 'feed') : undefined;
}

/** When a story has ended: the server's rows, and what lies on each device for whoever is signed in there. Plain data, to be judged elsewhere. */
export interface Left {
  at: string;
  tables: Record<string, Row[]>;
  rooms: { key: string; userId: string; privateRows: PrivateRows; feed: Row[] | undefined }[];
}

export function whatIsLeft({ backend, devices, judge, now }: World): Left {
  return {
    at: now().toISOString(),
    tables: Object.fromEntries(Array.from(backend.committed(), ([name, rows]) => [name, [...rows.values()]])),
    rooms: devices.map((device) => {
      const room = judge.roomOf(device, device.userId);
      const feed = feedOn(room);
      return { key: room.key, userId: room.userId, privateRows: restored(look(device.disk, room.database)!), feed: feed === undefined ? undefined : [...feed.values()] };
    }),
  };
}
