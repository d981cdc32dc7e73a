import type { PersonDb } from '../db/person-db.ts';
import {
  countOf,
  listHeld,
  recordOfEntries,
  recordOfPhoto,
  recordOfRejected,
  type BackedUp,
  type BackupRecord,
  type Held,
  type Kind,
  type OutboxBackupPorts,
  type Unread,
} from './backup-records.ts';

/** Brings the backup of this name up to date. */
export function createCopy(
  ports: OutboxBackupPorts,
  name: string,
  unread: Unread,
): (waiting: BackedUp) => Promise<void> {
  const { db, caches } = ports;
  /**
   * What each record of the cache holds, as far as this tab knows. Listing the cache after every write would make a day
   * of writes quadratic.
   */
  let held: Map<string, Held> | undefined;
  return async (waiting) => {
    if (!ports.isLeader()) {
      held = undefined;
      return;
    }
    const isNew = !(await caches.has(name));
    if (isNew && countOf(waiting) === 0) return;
    // A tab that slept through a log-out would bring back what the person discarded with it.
    if (!(await ports.isHere())) return;
    const cache = await caches.open(name);
    const records = isNew || held === undefined ? await listHeld(cache, unread) : held;
    held = records;
    const written: string[] = [];
    const put = async (record: BackupRecord) => {
      await cache.put(record.url, record.response());
      records.set(record.url, record);
      written.push(record.url);
    };
    for (const record of await missingFrom(cache, records, waiting)) await put(record);
    const { shrunk, gone } = await outdated(db, records, waiting);
    for (const record of shrunk) await put(record);
    await takeOut(cache, records, gone);
    if (written.length === 0 || (await ports.isHere())) return;
    // The person logged out meanwhile, after the log-out had removed the caches.
    await takeOut(cache, records, written);
    if ((await cache.keys()).length === 0) await caches.delete(name);
  };
}

/** So many at a time: each is a way to the browser's own process and back. */
const deletesAtOnce = 100;

async function takeOut(cache: Cache, held: Map<string, Held>, urls: readonly string[]): Promise<void> {
  for (let from = 0; from < urls.length; from += deletesAtOnce) {
    const some = urls.slice(from, from + deletesAtOnce);
    await Promise.all(some.map((url) => cache.delete(url)));
    some.forEach((url) => held.delete(url));
  }
}

/** So many are written again when one of them is cancelled, and lost with a record that cannot be read. */
const entriesOfRecord = 50;

/** What waits and is in no record. Entries that came together are one: each record is a file on the disk. */
async function missingFrom(
  cache: Cache,
  held: ReadonlyMap<string, Held>,
  { outbox, rejected, photos }: BackedUp,
): Promise<BackupRecord[]> {
  const kept = new Set([...held.values()].flatMap(({ kind, ids }) => (kind === 'outbox' ? ids : [])));
  const entries = outbox.filter(({ uid }) => !kept.has(uid));
  const records = rejected.map(recordOfRejected).filter(({ url }) => !held.has(url));
  for (let from = 0; from < entries.length; from += entriesOfRecord)
    records.push(recordOfEntries(entries.slice(from, from + entriesOfRecord)));
  for (const record of photos.map(recordOfPhoto)) {
    // A photo that storage has lost waits again, and may have been taken out; an outbox entry never comes back.
    if (!held.has(record.url) || !(await cache.match(record.url))) records.push(record);
  }
  return records;
}

interface Outdated {
  /** Records of which a part waits still. */
  shrunk: BackupRecord[];
  /** Addresses of those of which nothing does. */
  gone: string[];
}

async function outdated(db: PersonDb, held: ReadonlyMap<string, Held>, waiting: BackedUp): Promise<Outdated> {
  // All that waits is held: where no more is, nothing has gone, and a long queue is not gone through for one write.
  const count = [...held.values()].reduce((sum, { ids }) => sum + ids.length, 0);
  if (count === countOf(waiting)) return { shrunk: [], gone: [] };
  const entries = new Map(waiting.outbox.map((entry) => [entry.uid, entry]));
  const wanted: Record<Kind, ReadonlySet<string>> = {
    outbox: new Set(entries.keys()),
    refused: new Set(waiting.rejected.map(({ uid }) => uid)),
    photos: new Set(waiting.photos.map(({ id }) => id)),
  };
  const missing = [...held].flatMap(([url, { kind, ids }]) => {
    const without = ids.filter((id) => !wanted[kind].has(id));
    return without.length === 0 && ids.length > 0 ? [] : [{ url, kind, ids, without }];
  });
  const isGone = await goneFrom(db, missing);
  if (isGone === undefined) return { shrunk: [], gone: [] };
  const shrunk: BackupRecord[] = [];
  const gone: string[] = [];
  for (const { url, kind, ids } of missing) {
    const left = ids.filter((id) => !isGone(kind, id));
    if (left.length === 0) gone.push(url);
    else if (left.length < ids.length) {
      const still = left.flatMap((id) => entries.get(id) ?? []);
      // One that came into the database meanwhile will be among what waits the next time.
      if (still.length === left.length) shrunk.push(recordOfEntries(still, url));
    }
  }
  return { shrunk, gone };
}

/**
 * Tells which of these are here no more. Undefined where the database was emptied under this tab: nothing counts as
 * gone then, for it is still to be restored.
 */
async function goneFrom(
  db: PersonDb,
  missing: readonly { kind: Kind; without: readonly string[] }[],
): Promise<((kind: Kind, id: string) => boolean) | undefined> {
  if (missing.length === 0) return () => false;
  return db.transaction('r', ['outbox', 'refused', 'photos', 'meta'], async () => {
    if ((await db.meta.get('spare')) === undefined) return undefined;
    const uids = missing.flatMap(({ kind, without }) => (kind === 'outbox' ? without : [])).toSorted();
    const [first = '', last = ''] = [uids[0], uids.at(-1)];
    const [entries, refused, photos] = await Promise.all([
      // Of those alone: all of a long queue's, read with each answer, would make a day of writes quadratic. In one
      // question: what was decided together was made together, and its uids follow one another.
      db.outbox.where('uid').between(first, last, true, true).toArray(),
      db.refused.toCollection().primaryKeys(),
      db.photos.where('state').notEqual('uploaded').primaryKeys(),
    ]);
    const here: Record<Kind, ReadonlySet<unknown>> = {
      outbox: new Set(entries.map(({ uid }) => uid)),
      refused: new Set(refused),
      photos: new Set(photos),
    };
    const asked = new Set(missing.flatMap(({ kind, without }) => without.map((id) => `${kind} ${id}`)));
    return (kind: Kind, id: string) => asked.has(`${kind} ${id}`) && !here[kind].has(id);
  });
}
