import type { OutboxEntry, PersonDb, PhotoEntry, RejectedEntry } from '../db/person-db.ts';

/** What waits here, as `watchUnsynced` reads it. */
export interface BackedUp {
  readonly outbox: readonly OutboxEntry[];
  readonly rejected: readonly RejectedEntry[];
  readonly photos: readonly PhotoEntry[];
}

export interface OutboxBackupPorts {
  db: PersonDb;
  userId: string;
  caches: Pick<CacheStorage, 'has' | 'open' | 'delete'>;
  /** The device is this person's, and they are not being logged out. */
  isHere(): Promise<boolean>;
  /**
   * This tab leads. Only that one writes: another knows nothing of its records, and would leave in them what was
   * cancelled.
   */
  isLeader(): boolean;
  /** Calls back when the page is idle. */
  whenIdle(work: () => void): void;
  log(event: string, detail: string): void;
}

/** As the records' addresses name it. */
export type Kind = 'outbox' | 'refused' | 'photos';

export const countOf = ({ outbox, rejected, photos }: BackedUp): number =>
  outbox.length + rejected.length + photos.length;

/** What a record holds: its kind, and the uid or id of each entry. */
export interface Held {
  readonly kind: Kind;
  readonly ids: readonly string[];
}

/** One record of the cache: entries of the outbox that came together, or one rejected entry, or one photo. */
export interface BackupRecord extends Held {
  readonly url: string;
  response(): Response;
}

const restOfPhoto = 'dwang-photo';

/** A cache wants an address for each record; no such host exists. `id`: of its first entry. */
const address = (kind: Kind, id: string) => `https://spare.invalid/${kind}/${id}`;
const partsOf = (url: string) => url.split('/').slice(-2) as [Kind, string];

export function recordOfEntries(entries: readonly OutboxEntry[], url?: string): BackupRecord {
  const ids = entries.map(({ uid }) => uid);
  return {
    url: url ?? address('outbox', ids[0] ?? ''),
    kind: 'outbox',
    ids,
    response: () => new Response(JSON.stringify(entries)),
  };
}

export const recordOfRejected = (entry: RejectedEntry): BackupRecord => ({
  url: address('refused', entry.uid),
  kind: 'refused',
  ids: [entry.uid],
  response: () => new Response(JSON.stringify(entry)),
});

export const recordOfPhoto = ({ bytes, ...rest }: PhotoEntry): BackupRecord => ({
  url: address('photos', rest.id),
  kind: 'photos',
  ids: [rest.id],
  response: () => new Response(bytes, { headers: { [restOfPhoto]: encodeURIComponent(JSON.stringify(rest)) } }),
});

/** Outbox entries of a record. Earlier versions gave each a record of its own. */
async function entriesOf(response: Response): Promise<OutboxEntry[]> {
  const read = (await response.json()) as OutboxEntry | OutboxEntry[];
  return Array.isArray(read) ? read : [read];
}

async function photoOf(response: Response): Promise<PhotoEntry> {
  const rest = decodeURIComponent(response.headers.get(restOfPhoto) ?? '');
  return { ...(JSON.parse(rest) as Omit<PhotoEntry, 'bytes'>), bytes: await response.arrayBuffer() };
}

export type Unread = (kind: Kind, error: unknown) => void;

/** Which entries each record holds. Of the outbox's records alone that is read; one that cannot be holds nothing. */
export async function listHeld(cache: Cache, unread: Unread): Promise<Map<string, Held>> {
  const held = new Map<string, Held>();
  for (const { url } of await cache.keys()) {
    const [kind, id] = partsOf(url);
    const ids = kind === 'outbox' ? await idsIn(cache, url, unread) : [id];
    held.set(url, { kind, ids });
  }
  return held;
}

async function idsIn(cache: Cache, url: string, unread: Unread): Promise<string[]> {
  try {
    const response = await cache.match(url);
    return response === undefined ? [] : (await entriesOf(response)).map(({ uid }) => uid);
  } catch (error) {
    unread('outbox', error);
    return [];
  }
}

/** One that cannot be read keeps no other from being restored. */
export async function readAll(cache: Cache, unread: Unread): Promise<BackedUp> {
  const outbox = new Map<string, OutboxEntry>();
  const rejected: RejectedEntry[] = [];
  const photos: PhotoEntry[] = [];
  for (const request of await cache.keys()) {
    const [kind] = partsOf(request.url);
    try {
      const response = await cache.match(request);
      if (response === undefined) continue;
      if (kind === 'outbox') for (const entry of await entriesOf(response)) outbox.set(entry.uid, entry);
      if (kind === 'refused') rejected.push((await response.json()) as RejectedEntry);
      if (kind === 'photos') photos.push(await photoOf(response));
    } catch (error) {
      unread(kind, error);
    }
  }
  return { outbox: [...outbox.values()].toSorted((one, other) => one.seq - other.seq), rejected, photos };
}
