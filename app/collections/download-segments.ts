import { must } from '../../shared/lib/must.ts';
import type { SegmentEntry } from '../../shared/protocol/segment.ts';
import type { CollectionName } from '../../shared/tables/collections.ts';
import type { Clock } from '../db/clock.ts';
import type { SegmentEntryOnDevice, CollectionDb } from '../db/person-db.ts';
import { finishManifest } from './enter-manifest.ts';
import { missingSegments, nearSegments, wantedManifest } from './missing-segments.ts';
import { dbOf, collectionStoreNames, stateOf, type CollectionDbs } from './collection-dbs.ts';

/**
 * `gone`: the server has no such segment any more. `refused`: this person may not read it. `unauthorized`: the token
 * had expired.
 */
export type FetchedSegment =
  | { kind: 'bytes'; bytes: Uint8Array<ArrayBuffer> }
  | { kind: 'gone' }
  | { kind: 'refused' }
  | { kind: 'unauthorized' };

/** Past every cache on this device. Rejects where no answer came. */
export type FetchSegment = (collection: CollectionName, hash: string, signal: AbortSignal) => Promise<FetchedSegment>;

/**
 * Several in one request: calls `onBytes` for each that came, in the order asked, as soon as it is whole. The server
 * gives as many as it has ready; none where it is an older one, or anything is unusual. Rejects where no answer came,
 * or only a part.
 */
export type FetchSegments = (
  collection: CollectionName,
  entries: readonly Pick<SegmentEntry, 'hash' | 'bytes'>[],
  signal: AbortSignal,
  onBytes: (bytes: Uint8Array<ArrayBuffer>) => void,
) => Promise<void>;

export interface DownloadPorts {
  dbs: CollectionDbs;
  clock: Pick<Clock, 'now'>;
  fetchSegment: FetchSegment;
  fetchSegments?: FetchSegments;
  /** SHA-256, hex. */
  digest(bytes: Uint8Array<ArrayBuffer>): Promise<string>;
  /**
   * To save data: of a collection whose first segments are of this person's own regions, no others are downloaded.
   */
  onlyNear?(): boolean;
  /** For what reads the collection in this tab. */
  onDownloaded?(collection: CollectionName, hash: string, text: string): void;
  /** Other regions of a collection are here now, as they were when its snapshot was built. */
  onOtherRegions?(): void;
  log(event: string, detail: string): void;
}

interface Wanted {
  db: CollectionDb;
  shelf: CollectionName;
  hash: string;
  bytes: number;
}

/** What the first screen needs shares the connection with one other at most. */
const atFirst = 2;
/**
 * Two of one size end together, and then the connection idles for a round trip; of three there is always one under way.
 */
const onSlowConnection = 3;
/** Round trips take the time on a quick connection, not bytes; and little is lost when it breaks. */
const onQuickConnection = 4;
const quickMs = 100;
/** After the first they come several to a request: a browser takes longer for a request than for a segment's bytes. */
const atOnce = 8;
/** What the first screen needs comes first. */
const inOrder: readonly CollectionName[] = ['reference', 'feed', 'directory'];

/**
 * Downloads what is missing, newest first, two at a time until the first is here, then three (four on a quick
 * connection), several to a request, and stores each as it comes, so that a broken download goes on where it stopped.
 * Resolves false where something is still missing; rejects where no answer came.
 */
export async function downloadSegments(ports: DownloadPorts, signal: AbortSignal): Promise<boolean> {
  const onlyNear = ports.onlyNear?.() ?? false;
  const { wanted, collections } = await listWanted(ports.dbs, onlyNear);
  const closed = new Set<CollectionName>();
  const keeper = createKeeper();
  const failed: unknown[] = [];
  let isWhole = true;
  let hasFirst = false;
  let fetchSegments = ports.fetchSegments;
  const take = async (one: Wanted, fetched: FetchedSegment) => {
    let result = await takeOne(ports, one, fetched);
    // Damaged on its way.
    if (result === 'broken') result = await takeOne(ports, one, await ports.fetchSegment(one.shelf, one.hash, signal));
    if (typeof result === 'string') isWhole = false;
    else keeper.keep(result);
    if (result === 'closed') closed.add(one.shelf);
  };
  /** What did not come is wanted again. */
  const askForSeveral = async (fetch: FetchSegments, group: readonly Wanted[]) => {
    const left = [...group];
    const taking: Promise<void>[] = [];
    try {
      await fetch(must(group[0], 'one').shelf, group, signal, (bytes) => {
        const one = left.shift();
        if (one !== undefined) taking.push(take(one, { kind: 'bytes', bytes }));
      });
      if (taking.length === 0) fetchSegments = undefined;
    } finally {
      wanted.unshift(...left);
      await Promise.all(taking);
    }
  };
  const work = async () => {
    for (let next = wanted.shift(); next !== undefined && !signal.aborted; next = wanted.shift()) {
      const { shelf } = next;
      if (closed.has(shelf)) continue;
      const askedAt = ports.clock.now();
      const others = hasFirst && fetchSegments !== undefined ? takeMore(wanted, shelf) : [];
      if (fetchSegments !== undefined && others.length > 0) {
        await askForSeveral(fetchSegments, [next, ...others]);
        continue;
      }
      const fetched = await ports.fetchSegment(shelf, next.hash, signal);
      hasFirst = true;
      if (workers.length < (ports.clock.now() - askedAt < quickMs ? onQuickConnection : onSlowConnection))
        startWorker();
      await take(next, fetched);
    }
  };
  const workers: Promise<unknown>[] = [];
  const startWorker = () => workers.push(work().catch((error: unknown) => failed.push(error)));
  while (workers.length < atFirst) startWorker();
  for (let at = 0; at < workers.length; at += 1) await workers[at];
  await keeper.written().catch((error: unknown) => failed.push(error));
  const finished = await Promise.all(
    collections.map(({ db, shelf: collection }) => finishManifest(db, collection, onlyNear)),
  );
  if (finished.includes(true)) ports.onOtherRegions?.();
  if (failed.length > 0) throw failed[0];
  return isWhole && !signal.aborted;
}

/** The next ones of this collection. */
function takeMore(wanted: Wanted[], collection: CollectionName): Wanted[] {
  const more = wanted.filter(({ shelf }) => shelf === collection).slice(0, atOnce - 1);
  for (const one of more) wanted.splice(wanted.indexOf(one), 1);
  return more;
}

/**
 * The lists that every screen needs and the first screenful of jobs come first, then the rest of the person's own
 * regions, then the other collections in turn. `collections`: those that have something to do.
 */
async function listWanted(
  dbs: CollectionDbs,
  onlyNear: boolean,
): Promise<{ wanted: Wanted[]; collections: { db: CollectionDb; shelf: CollectionName }[] }> {
  const piles = await Promise.all(
    inOrder.map(async (collection) => {
      const db = dbOf(dbs, collection);
      const state = db === undefined ? undefined : await stateOf(db, collection);
      const manifest = state === undefined ? null : wantedManifest(state);
      if (db === undefined || state === undefined || manifest === null) return undefined;
      const near = new Set(manifest.near ? nearSegments(manifest).map(({ hash }) => hash) : []);
      const missing = (await missingSegments(db, collection, manifest, onlyNear)).map(({ hash, bytes }) => ({
        db,
        shelf: collection,
        hash,
        bytes,
        isNear: near.has(hash),
      }));
      return missing.length > 0 || state.coming !== null ? { db, shelf: collection, missing } : undefined;
    }),
  );
  const collections = piles.filter((pile) => pile !== undefined);
  const longest = Math.max(0, ...collections.map(({ missing }) => missing.length));
  const inTurn = Array.from({ length: longest }, (_none, at) =>
    collections.flatMap(({ missing }) => missing[at] ?? []),
  ).flat();
  const nearest = inTurn.some(({ isNear }) => isNear) ? inTurn.filter(isOfFirst) : [];
  const wanted = [...nearest, ...inTurn.filter((one) => !nearest.includes(one))];
  return { wanted, collections };
}

/** The lists to choose from name every town on a job's card. */
const isOfFirst = ({ shelf, isNear }: { shelf: CollectionName; isNear: boolean }) => isNear || shelf === 'reference';

type DownloadedSegment = SegmentEntryOnDevice & { db: CollectionDb };

async function takeOne(
  ports: DownloadPorts,
  { db, shelf: collection, hash }: Omit<Wanted, 'bytes'>,
  fetched: FetchedSegment,
): Promise<DownloadedSegment | 'broken' | 'closed'> {
  if (fetched.kind === 'unauthorized') return 'closed';
  // A collection whose first list is still coming is not asked for, so until then the device would never learn that the
  // right to it is gone (I8).
  if (fetched.kind !== 'bytes') {
    ports.log(`segment-${fetched.kind}`, `${collection} ${hash}`);
    await forgetManifestOf(db, collection, hash);
    return 'closed';
  }
  const { bytes } = fetched;
  if ((await ports.digest(bytes)) !== hash) {
    ports.log('segment-broken', `${collection} ${hash}, ${bytes.length} bytes`);
    return 'broken';
  }
  const text = new TextDecoder().decode(bytes);
  ports.onDownloaded?.(collection, hash, text);
  return { db, hash, shelf: collection, text };
}

/** Writes without holding the download up; what comes during one transaction goes together into the next. */
function createKeeper(): { keep(segment: DownloadedSegment): void; written(): Promise<void> } {
  let waiting: DownloadedSegment[] = [];
  let writing = Promise.resolve();
  const write = async () => {
    const batch = waiting;
    waiting = [];
    await Promise.all(
      [...new Set(batch.map(({ db }) => db))].map((db) =>
        putWanted(
          db,
          batch.filter((one) => one.db === db),
        ),
      ),
    );
  };
  return {
    keep: (segment) => {
      waiting.push(segment);
      if (waiting.length > 1) return;
      writing = writing.then(write);
      // Reported once, at the end.
      writing.catch(() => undefined);
    },
    written: () => writing,
  };
}

async function putWanted(db: CollectionDb, segments: readonly DownloadedSegment[]): Promise<void> {
  await db.transaction('rw', [...collectionStoreNames], async () => {
    // Since the question the right to read it may have ended (I8), or a newer manifest come.
    const states = await db.shelfStates.toArray();
    const isWanted = ({ shelf: collection, hash }: DownloadedSegment) =>
      states.some(
        (state) =>
          state.shelf === collection && wantedManifest(state)?.segments.some((segment) => segment.hash === hash),
      );
    await db.segments.bulkPut(
      segments.filter(isWanted).map(({ hash, shelf: collection, text }) => ({ hash, shelf: collection, text })),
    );
  });
}

/**
 * The server has deleted a segment of the manifest, or denies it: ask for another manifest. Segments that are here
 * stay, the next may share them.
 */
async function forgetManifestOf(db: CollectionDb, collection: CollectionName, hash: string): Promise<void> {
  await db.transaction('rw', [...collectionStoreNames], async () => {
    const state = await stateOf(db, collection);
    if (!wantedManifest(state)?.segments.some((segment) => segment.hash === hash)) return;
    await db.shelfStates.put({ ...state, coming: null, version: state.coming === null ? null : state.version });
  });
}
