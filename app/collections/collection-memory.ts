import { liveQuery, type Subscription } from 'dexie';
import { unpackSegment, type Manifest } from '../../shared/protocol/segment.ts';
import type { CollectionAnswer } from '../../shared/protocol/exchange.ts';
import type { CollectionName, CollectionRow } from '../../shared/tables/collections.ts';
import { withConnection } from '../db/connection.ts';
import type { CollectionDb, CollectionState } from '../db/person-db.ts';
import { createCell, type Watched } from '../lib/cell.ts';
import { nextFrame, yieldToMain } from './pauses.ts';
import type { SegmentCache } from './segment-cache.ts';
import { readCollection, type CollectionReading } from './read-collection.ts';
import type { CollectionGate } from './collection-gate.ts';
import { isNewer } from './collection-version.ts';

export interface CollectionContents<Name extends CollectionName> {
  /**
   * `starting`: not read yet. `absent`: nothing of it on this device yet. `filling`: the first download, newest first.
   * `hidden`: this person may not read it, or no longer. `failed`: the device could not read it; that is not the same
   * as empty.
   */
  readonly status: 'starting' | 'absent' | 'filling' | 'ready' | 'hidden' | 'failed';
  /** In no order. The same array until something changes. */
  readonly rows: readonly CollectionRow<Name>[];
  /** How many of the manifest's segments have been read. */
  readonly progress: { readonly here: number; readonly of: number };
  /** ISO instant of the server's last answer. */
  readonly updatedAt: string | null;
}

export interface CollectionMemory<Name extends CollectionName = CollectionName> extends Watched<
  CollectionContents<Name>
> {
  /** Always the newest, also while the array is still the old one. */
  find(id: string): CollectionRow<Name> | undefined;
  /**
   * Shows what an answer to this question brings before it is on the disk: the server gives it again. Undefined where
   * that cannot be told from memory. The function it gives is called when the answer was written, or was not: what is
   * not on the disk then is taken back.
   */
  showEarly(answer: CollectionAnswer<Name>, asked: AskedVersion): (() => Promise<void>) | undefined;
  close(): void;
}

/** The version that a question named, and whose it is. */
export interface AskedVersion {
  readonly version: string | null;
  readonly timeline: string | null;
}

interface MemoryPorts<Name extends CollectionName> {
  db: CollectionDb;
  collection: Name;
  /** Without one, every visitor may read. */
  gate?: CollectionGate;
  /** Nothing is read before there is a subscriber: for collections that many screens do without. */
  startsWhenWatched?: boolean;
  /** Called for each new subscriber. */
  onWatched?(): void;
  /** What this tab has just downloaded. */
  segmentCache?: Pick<SegmentCache, 'take'>;
  /** Yields, so that the screen can paint. */
  pause?(): Promise<void>;
  onError?(error: unknown): void;
}

/** Segments read between two yields, after the first, which is painted by itself. */
const segmentsAtOnce = 4;
const noRows = { rows: [], progress: { here: 0, of: 0 }, updatedAt: null } as const;
/** The least time between two updates of the screen during the first download: each filters, sorts, draws the list. */
const fillingPaceMs = 500;
/** Identifies a manifest: after a restore a version can come a second time, with other rows behind it. */
const nameOf = (manifest: Manifest | null) => manifest && `${manifest.timeline ?? ''} ${manifest.version}`;

/**
 * A collection's rows in this tab's memory, kept up with the database, whichever tab or worker writes there.
 * A change costs what changed: segments are parsed once, and `fresh` is read from the last known version on.
 */
export function openCollectionMemory<Name extends CollectionName>(ports: MemoryPorts<Name>): CollectionMemory<Name> {
  type Row = CollectionRow<Name> & { id: string };
  const { db, collection, gate, pause = nextFrame } = ports;
  const cell = createCell<CollectionContents<Name>>({ status: 'starting', ...noRows });
  let open: CollectionContents<Name> = cell.current();

  const parsed = new Map<string, Row[]>();
  let rows = new Map<string, Row>();
  let shown = rows;
  /** The rows as an array, built again only after a change, so that a caller that sorts them need not sort again. */
  let all: readonly Row[] = [];
  let isTouched = false;
  /** Ids that `fresh` has a change for: segments must not bring them back. */
  let spoken = new Set<string>();
  let added = new Set<string>();
  let known: { manifest: string | null; since: string } = { manifest: null, since: '' };
  let isClosed = false;
  let newest: CollectionReading | undefined;
  let isCatchingUp = false;
  let fillsAgainAt = 0;
  let fillsLater: ReturnType<typeof setTimeout> | undefined;
  let watching: Subscription | undefined;
  /** What is shown of the disk was read with this state. */
  let state: CollectionState | undefined;
  /** What is shown before it is written, and what each took the place of. */
  let early = new Map<string, { row: Row | null; before: Row | undefined }>();

  const isVisible = () => gate === undefined || gate.current() === 'open';

  function publish(): void {
    if (isVisible()) return cell.set(open);
    const status = gate?.current() === 'unknown' ? 'starting' : 'hidden';
    if (cell.current().status !== status) cell.set({ status, ...noRows });
  }

  function setRow(id: string, row: Row | null | undefined): void {
    isTouched = true;
    if (row) rows.set(id, row);
    else rows.delete(id);
  }

  function showEarly(answer: CollectionAnswer<Name>, asked: AskedVersion): (() => Promise<void>) | undefined {
    const isThere =
      open.status === 'ready' && isVisible() && !isCatchingUp && early.size === 0 && state?.version === asked.version;
    if (!isThere || !('puts' in answer) || answer.puts.length + answer.removes.length === 0) return undefined;
    const { timeline = null } = state ?? {};
    if (timeline !== asked.timeline || (answer.timeline ?? timeline) !== timeline) return undefined;
    const changes = [
      ...answer.removes.map((id) => [id, null] as const),
      ...(answer.puts as Row[]).map((row) => [row.id, row] as const),
    ];
    early = new Map(changes.map(([id, row]) => [id, { row, before: rows.get(id) }]));
    for (const [id, { row }] of early) setRow(id, row);
    open = { ...open, rows: (all = [...rows.values()]) };
    isTouched = false;
    publish();
    return async () => {
      const now = await db.shelfStates.get(collection).catch(() => undefined);
      const isWritten =
        now !== undefined &&
        (now.timeline ?? null) === timeline &&
        now.version !== null &&
        !isNewer(answer.version, now.version);
      if (!isWritten) revert();
    };
  }

  function revert(): void {
    if (early.size === 0 || isClosed) return;
    for (const [id, { before }] of early) setRow(id, before);
    early.clear();
    open = { ...open, rows: (all = [...rows.values()]) };
    isTouched = false;
    publish();
  }

  function show(reading: CollectionReading): void {
    shown = rows;
    state = reading.state;
    clearTimeout(fillsLater);
    const manifest = reading.state?.manifest ?? null;
    const of = manifest?.segments.length ?? 0;
    const isWhole = added.size === of;
    const status = reading.state?.denied ? 'hidden' : manifest === null ? 'absent' : isWhole ? 'ready' : 'filling';
    const wait = fillsAgainAt - performance.now();
    if (status === 'filling' && open.rows.length > 0 && wait > 0) {
      fillsLater = setTimeout(() => show(reading), wait);
      return;
    }
    fillsAgainAt = performance.now() + fillingPaceMs;
    if (isTouched) all = [...rows.values()];
    isTouched = false;
    open = { status, rows: all, progress: { here: added.size, of }, updatedAt: reading.state?.updatedAt ?? null };
    publish();
  }

  async function parse(hashes: string[]): Promise<void> {
    const texts = new Map(hashes.map((hash) => [hash, ports.segmentCache?.take(hash)]));
    const unread = hashes.filter((hash) => texts.get(hash) === undefined);
    for (const segment of unread.length === 0 ? [] : await db.segments.bulkGet(unread))
      if (segment !== undefined) texts.set(segment.hash, segment.text);
    for (const [hash, text] of texts) {
      // Deleted since it was listed: a newer manifest took over, and its read comes next.
      if (text !== undefined) parsed.set(hash, unpackSegment(collection, text) as Row[]);
    }
  }

  function addSegment(hash: string): void {
    const segment = parsed.get(hash);
    if (segment === undefined) return;
    // Backwards, because a segment begins with its oldest row: all rows are then newest first, and sorting has little
    // to do.
    for (const row of segment.toReversed()) if (!spoken.has(row.id)) rows.set(row.id, row);
    added.add(hash);
    isTouched = true;
  }

  function writeChanges({ changed }: CollectionReading): void {
    for (const { id, row, version } of changed) {
      spoken.add(id);
      const shownBefore = early.get(id);
      early.delete(id);
      // What is written as it was shown is no change: the list would be filtered and sorted a second time.
      if (shownBefore === undefined || JSON.stringify(shownBefore.row) !== JSON.stringify(row))
        setRow(id, row as Row | null);
      if (version > known.since) known.since = version;
    }
  }

  async function catchUp(first: CollectionReading): Promise<void> {
    if (isClosed) return;
    let reading = first;
    const manifest = reading.state?.manifest ?? null;
    if (nameOf(manifest) !== known.manifest) {
      if (reading.since !== '') reading = await readCollection(db, collection, '');
      return startAgain(reading);
    }
    writeChanges(reading);
    await addNewSegments(reading);
    show(reading);
  }

  /** Another manifest: its rows are built beside the old, which stay shown, where they were whole, until it is. */
  async function startAgain(reading: CollectionReading): Promise<void> {
    const manifest = reading.state?.manifest ?? null;
    const hashes = new Set(manifest?.segments.map(({ hash }) => hash));
    for (const hash of parsed.keys()) if (!hashes.has(hash)) parsed.delete(hash);
    known = { manifest: nameOf(manifest), since: '' };
    [rows, spoken, added, isTouched] = [new Map(), new Set(), new Set(), true];
    early.clear();
    writeChanges(reading);
    await addNewSegments(reading);
    show(reading);
  }

  async function addNewSegments(reading: CollectionReading): Promise<void> {
    const here = new Set(reading.here);
    const waiting = (reading.state?.manifest?.segments ?? [])
      .map(({ hash }) => hash)
      .filter((hash) => here.has(hash) && !added.has(hash));
    while (waiting.length > 0 && !isClosed) {
      const isFirst = added.size === 0;
      const batch = waiting.splice(0, isFirst ? 1 : segmentsAtOnce);
      await parse(batch.filter((hash) => !parsed.has(hash)));
      for (const hash of batch) addSegment(hash);
      if (waiting.length === 0) return;
      // A screenful at once; then all of it, because every list in between would be filtered, sorted and drawn for
      // nothing.
      if (isFirst && open.status !== 'ready') {
        show(reading);
        await pause();
      } else await yieldToMain();
    }
  }

  /** The newest read has all that the ones before it had, so those that came meanwhile are skipped. */
  async function takeTurns(reading: CollectionReading): Promise<void> {
    newest = reading;
    if (isCatchingUp) return;
    isCatchingUp = true;
    for (let next: CollectionReading | undefined = newest; next !== undefined; next = newest) {
      newest = undefined;
      await catchUp(next).catch(fail);
    }
    isCatchingUp = false;
  }

  function fail(error: unknown): void {
    open = { ...open, status: 'failed' };
    publish();
    ports.onError?.(error);
  }

  function start(): void {
    if (isClosed) return;
    watching ??= liveQuery(() => withConnection(db, () => readCollection(db, collection, known.since))).subscribe({
      next: (reading) => void takeTurns(reading),
      error: fail,
    });
  }
  const unsubscribeGate = gate?.subscribe(publish);
  if (ports.startsWhenWatched !== true) start();

  return {
    current: cell.current,
    subscribe: (listener) => {
      ports.onWatched?.();
      start();
      return cell.subscribe(listener);
    },
    find: (id) => {
      start();
      return isVisible() ? shown.get(id) : undefined;
    },
    showEarly,
    close: () => {
      isClosed = true;
      clearTimeout(fillsLater);
      watching?.unsubscribe();
      unsubscribeGate?.();
    },
  };
}
