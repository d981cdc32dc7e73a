import { actorOf } from '../../shared/actor.ts';
import { collectionNames } from '../../shared/tables/collections.ts';
import type { ReadTx } from '../store/sync-store.ts';
import type { SharedChange } from './carried-changes.ts';
import type { CollectionPort } from './collection-port.ts';

/**
 * What changed after a version in the shared collections, read once for all devices: as the answer to one of their
 * people, who must be allowed to read all of them, and nothing of the person is in it. Undefined where that person is
 * gone, or the database another. `withPlaces`: a device that listens holds the feed in part.
 */
export async function readSharedChange(
  tx: ReadTx,
  port: CollectionPort,
  {
    readerId,
    after,
    timeline,
    now,
    withPlaces,
  }: { readerId: string; after: string; timeline: string; now: string; withPlaces: boolean },
): Promise<SharedChange | undefined> {
  const read = await tx.readPosition(readerId);
  if (read === undefined || read.position.isMoved || read.position.timeline !== timeline) return undefined;
  const every = <T>(value: T) => Object.fromEntries(collectionNames.map((name) => [name, value]));
  const collections = await port.answer({
    tx,
    actor: actorOf(read.person),
    asked: every(after),
    timelines: every(timeline),
    position: read.position,
    isCookieCurrent: true,
    now,
  });
  const places = withPlaces
    ? new Map((await tx.readChangedRows('feed', after)).map(({ id, region, left }) => [id, { region, left }]))
    : undefined;
  return { head: read.position.head, timeline, cookieKey: read.position.cookieKey, collections, places };
}
