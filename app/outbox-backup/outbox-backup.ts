import type { OutboxEntry, PersonDb, PhotoEntry, RejectedEntry } from '../db/person-db.ts';
import { writeSetStores } from '../sync/dexie-tx.ts';
import { replayOutbox } from '../sync/replay.ts';
import { readServerRows } from '../sync/server-rows.ts';

/*
 * A second copy of what the server has not taken, outside of IndexedDB. Chromium throws away a site's whole IndexedDB
 * when the last record of its log was cut short by a kill (docs/decisions/0009); Cache Storage is elsewhere on the disk
 * and stays.
 *
 * The backup may lag and may hold too much: a change that was sent meanwhile is sent again under its uid, and the
 * server knows it (S1).
 */

/** What waits here, as `watchUnsynced` reads it. */
export interface BackedUp {
  readonly outbox: readonly OutboxEntry[];
  readonly refused: readonly RejectedEntry[];
  readonly photos: readonly PhotoEntry[];
}

export interface OutboxBackupPorts {
  db: PersonDb;
  userId: string;
  caches: Pick<CacheStorage, 'has' | 'open' | 'delete'>;
  /** The device is this person's, and they are not being logged out. */
  isHere(): Promise<boolean>;
  /** Calls back when the page is idle. */
  whenIdle(work: () => void): void;
  log(event: string, detail: string): void;
}

export interface OutboxBackup {
  /**
   * Restores what an emptied database lacks, in one transaction, and gives how many changes that were. A database that
   * has been in use since lost nothing: what it does not have was sent or cancelled. Rejects where the backup or the
   * database cannot be read.
   */
  restore(): Promise<number>;
  /** Brings the backup up to date with this, soon. */
  keep(waiting: BackedUp): void;
  /** Finishes what was begun; nothing is written after. */
  stop(): Promise<void>;
}

type Kind = keyof BackedUp;

/** A cache wants an address for each entry; no such host exists. */
const address = (kind: Kind, id: string) => `https://spare.invalid/${kind}/${id}`;
const partsOf = (url: string) => url.split('/').slice(-2) as [Kind, string];
const restOfPhoto = 'dwang-photo';

/** Deleted with its own person's log-out. */
const namesBegin = 'dwang-person-spare-';

/** The backup of another person than this one: it stays when this one logs out (I17). */
export const isBackupOfAnother = (name: string, userId: string) =>
  name.startsWith(namesBegin) && name !== `${namesBegin}${userId}`;

/** Does any person's outbox backup hold something? `besides`: leaves out this person's. */
export async function hasOutboxBackup(caches: Pick<CacheStorage, 'keys' | 'open'>, besides?: string): Promise<boolean> {
  for (const name of (await caches.keys()).filter(
    (one) => one.startsWith(namesBegin) && one !== `${namesBegin}${besides}`,
  )) {
    if ((await (await caches.open(name)).keys()).length > 0) return true;
  }
  return false;
}

export function createOutboxBackup(ports: OutboxBackupPorts): OutboxBackup {
  const { db, userId, caches, log } = ports;
  const name = `${namesBegin}${userId}`;
  let latest: BackedUp | undefined;
  /**
   * Addresses that the cache holds, as far as this tab knows. Listing the cache after every write would make a day of
   * writes quadratic.
   */
  let held: Set<string> | undefined;
  let isStopped = false;
  let turn = Promise.resolve();

  async function copy(waiting: BackedUp): Promise<void> {
    const isNew = !(await caches.has(name));
    if (waiting.outbox.length + waiting.refused.length + waiting.photos.length === 0 && isNew) return;
    // A tab that slept through a log-out would bring back what the person discarded with it.
    if (!(await ports.isHere())) return;
    const cache = await caches.open(name);
    if (isNew || held === undefined) held = new Set((await cache.keys()).map(({ url }) => url));
    const added: string[] = [];
    let wanted = 0;
    for (const { kind, id, response } of copiesOf(waiting)) {
      wanted += 1;
      const url = address(kind, id);
      // A photo that storage has lost waits again, and another tab may have taken it out meanwhile; an outbox entry
      // never comes back.
      if (held.has(url) && (kind !== 'photos' || (await cache.match(url)))) continue;
      await cache.put(url, response());
      held.add(url);
      added.push(url);
    }
    // All that is wanted is held: where no more is, nothing has gone, and a long queue is not listed for one write.
    const gone = held.size === wanted ? [] : await goneFrom(db, notIn(waiting, held));
    await takeOut(cache, held, gone);
    if (added.length === 0 || (await ports.isHere())) return;
    // The person logged out meanwhile, after the log-out had removed the caches.
    await takeOut(cache, held, added);
    if ((await cache.keys()).length === 0) await caches.delete(name);
  }

  async function restore(): Promise<number> {
    // WebKit writes its list of a site's caches anew whenever one is made or deleted, and a kill in the middle of that
    // makes all of them unreadable, the app's own files too. So this one is made before anything waits, and stays until
    // the log-out.
    if (await ports.isHere()) await caches.open(name);
    // As a rule there is nothing to do, and a read takes no write lock.
    if ((await db.meta.get('spare')) !== undefined) return 0;
    const lost = (await caches.has(name)) ? await readAll(await caches.open(name), log) : nothing;
    return db.transaction('rw', [...writeSetStores, 'outbox', 'refused', 'photos', 'meta'], async () => {
      if ((await db.meta.get('spare')) !== undefined) return 0;
      await db.meta.put({ key: 'spare', value: true });
      if (lost.outbox.length + lost.refused.length + lost.photos.length === 0) return 0;
      const here = new Set(await db.outbox.orderBy('uid').keys());
      // Whether one of them was sent since it was copied is not known (C7).
      const entries = lost.outbox
        .filter(({ uid }) => !here.has(uid))
        .map(({ seq: _, ...entry }) => ({ ...entry, state: 'sent' as const }));
      await db.outbox.bulkAdd(entries as OutboxEntry[]);
      await db.refused.bulkPut([...lost.refused]);
      await db.photos.bulkPut(lost.photos.map((photo) => ({ ...photo, state: 'waiting' as const })));
      await replayOutbox({ db, userId }, await readServerRows(db));
      return entries.length + lost.refused.length;
    });
  }

  return {
    restore,
    keep: (waiting) => {
      const isUnderWay = latest !== undefined;
      latest = waiting;
      if (isUnderWay) return;
      ports.whenIdle(() => {
        if (isStopped) return;
        turn = turn
          .then(async () => {
            const now = latest;
            latest = undefined;
            if (now !== undefined) await copy(now);
          })
          .catch((error: unknown) => log('spare-unkept', String(error)));
      });
    },
    stop: () => {
      isStopped = true;
      return turn;
    },
  };
}

const nothing: BackedUp = { outbox: [], refused: [], photos: [] };

/** So many at a time: each is a way to the browser's own process and back. */
const deletesAtOnce = 100;

async function takeOut(cache: Cache, held: Set<string>, urls: readonly string[]): Promise<void> {
  for (let from = 0; from < urls.length; from += deletesAtOnce) {
    const some = urls.slice(from, from + deletesAtOnce);
    await Promise.all(some.map((url) => cache.delete(url)));
    some.forEach((url) => held.delete(url));
  }
}

interface Copy {
  kind: Kind;
  id: string;
  response(): Response;
}

function* copiesOf({ outbox, refused, photos }: BackedUp): Generator<Copy> {
  for (const entry of outbox)
    yield { kind: 'outbox', id: entry.uid, response: () => new Response(JSON.stringify(entry)) };
  for (const entry of refused)
    yield { kind: 'refused', id: entry.uid, response: () => new Response(JSON.stringify(entry)) };
  for (const { bytes, ...rest } of photos) {
    const headers = () => ({ [restOfPhoto]: encodeURIComponent(JSON.stringify(rest)) });
    yield { kind: 'photos', id: rest.id, response: () => new Response(bytes, { headers: headers() }) };
  }
}

/** The addresses that are held for nothing of this. */
function notIn(waiting: BackedUp, held: ReadonlySet<string>): string[] {
  const wanted = new Set(Array.from(copiesOf(waiting), ({ kind, id }) => address(kind, id)));
  return [...held].filter((url) => !wanted.has(url));
}

/**
 * Those that are here no more. Where the database was emptied under this tab nothing counts as gone: it is still to be
 * restored.
 */
async function goneFrom(db: PersonDb, urls: readonly string[]): Promise<string[]> {
  if (urls.length === 0) return [];
  return db.transaction('r', ['outbox', 'refused', 'photos', 'meta'], async () => {
    if ((await db.meta.get('spare')) === undefined) return [];
    const uids = urls.map(partsOf).flatMap(([kind, id]) => (kind === 'outbox' ? [id] : []));
    const [counts, refused, photos] = await Promise.all([
      // Of those alone: all of a long queue's, read with each answer, would make a day of writes quadratic.
      Promise.all(uids.map((uid) => db.outbox.where('uid').equals(uid).count())),
      db.refused.toCollection().primaryKeys(),
      db.photos.where('state').notEqual('uploaded').primaryKeys(),
    ]);
    const here: Record<Kind, ReadonlySet<unknown>> = {
      outbox: new Set(uids.filter((_, at) => counts[at] !== 0)),
      refused: new Set(refused),
      photos: new Set(photos),
    };
    return urls.filter((url) => {
      const [kind, id] = partsOf(url);
      return !here[kind].has(id);
    });
  });
}

/** One that cannot be read keeps no other from being restored. */
async function readAll(cache: Cache, log: OutboxBackupPorts['log']): Promise<BackedUp> {
  const outbox: OutboxEntry[] = [];
  const refused: RejectedEntry[] = [];
  const photos: PhotoEntry[] = [];
  for (const request of await cache.keys()) {
    const [kind] = partsOf(request.url);
    try {
      const response = await cache.match(request);
      if (response === undefined) continue;
      if (kind === 'outbox') outbox.push((await response.json()) as OutboxEntry);
      if (kind === 'refused') refused.push((await response.json()) as RejectedEntry);
      if (kind === 'photos') {
        const rest = JSON.parse(decodeURIComponent(response.headers.get(restOfPhoto) ?? '')) as Omit<
          PhotoEntry,
          'bytes'
        >;
        photos.push({ ...rest, bytes: await response.arrayBuffer() });
      }
    } catch (error) {
      log('spare-entry-unread', `${kind} ${error instanceof Error ? error.name : typeof error}`);
    }
  }
  return { outbox: outbox.toSorted((one, other) => one.seq - other.seq), refused, photos };
}
