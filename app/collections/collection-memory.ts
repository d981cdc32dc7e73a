import { liveQuery, type Subscription } from 'dexie';
import { unpackSegment } from '../../shared/protocol/segment.ts';
import type { CollectionAnswer } from '../../shared/protocol/exchange.ts';
import type { CollectionName, CollectionRow } from '../../shared/tables/collections.ts';
import { withConnection } from '../db/connection.ts';
import type { CollectionDb, CollectionState } from '../db/person-db.ts';
import { createCell, type Watched } from '../lib/cell.ts';
import { nextFrame, yieldToMain } from './pauses.ts';
import type { DownloadedSegments } from './downloaded-segments.ts';
import { readCollection, type CollectionReading } from './read-collection.ts';
import type { CollectionGate } from './collection-gate.ts';
import {
  addChanges,
  addEarly,
  addSegment,
  contentsOf,
  createRows,
  listOf,
  nameOf,
  revertEarly,
  unreadSegments,
  type CollectionContents,
  type CollectionRows,
  type Row,
} from './collection-rows.ts';
import { isNewer } from './collection-version.ts';

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
  /** No more than the person's own regions is downloaded. */
  isHeldBack?: Watched<boolean>;
  /** What this tab downloads: parsed as it comes, beside the rest of the download. */
  downloaded?: Pick<DownloadedSegments, 'hear'>;
  /** Yields, so that the screen can paint. */
  pause?(): Promise<void>;
  onError?(error: unknown): void;
}

/** Segments read from the disk at once, after the first, which is painted by itself. */
const segmentsAtOnce = 4;
/** After so much work other tasks run. */
const yieldAfterMs = 8;
const noRows = { rows: [], progress: { here: 0, of: 0, isNearHere: false }, updatedAt: null } as const;
/** The least time between two updates of the screen during the first download: each filters, sorts, draws the list. */
const fillingPaceMs = 500;

interface MemoryState<Name extends CollectionName> {
  /** Live query of the disk; undefined before the first subscriber. */
  watching: Subscription | 'closed' | undefined;
  /** What a person sees who may read the collection. */
  open: CollectionContents<Name>;
  /** What readings are added to. */
  rows: CollectionRows<Name>;
  /** The same, but while another manifest is read: then the rows of the one before. */
  shown: CollectionRows<Name>;
  /** What is shown of the disk was read with this state. */
  shownState: CollectionState | undefined;
  shownHere: string[];
  /** While a reading is added: the newest of those that came meanwhile. */
  catchingUp: { next: CollectionReading | undefined } | undefined;
  /** The pace of the screen during the first download. */
  filling: { againAt: number; timer?: ReturnType<typeof setTimeout> };
}

/**
 * A collection's rows in this tab's memory, kept up with the database, whichever tab or worker writes there.
 * A change costs what changed: segments are parsed once, and `fresh` is read from the last known version on.
 */
export function openCollectionMemory<Name extends CollectionName>(ports: MemoryPorts<Name>): CollectionMemory<Name> {
  const { db, collection, gate, pause = nextFrame } = ports;
  const cell = createCell<CollectionContents<Name>>({ status: 'starting', ...noRows });
  const parsed = new Map<string, Row<Name>[]>();
  const first = createRows<Name>(null);
  const state: MemoryState<Name> = {
    watching: undefined,
    open: cell.current(),
    rows: first,
    shown: first,
    shownState: undefined,
    shownHere: [],
    catchingUp: undefined,
    filling: { againAt: 0 },
  };

  const isVisible = () => gate === undefined || gate.current() === 'open';

  function publish(): void {
    if (isVisible()) return cell.set(state.open);
    const status = gate?.current() === 'unknown' ? 'starting' : 'hidden';
    if (cell.current().status !== status) cell.set({ status, ...noRows });
  }

  function showEarly(answer: CollectionAnswer<Name>, asked: AskedVersion): (() => Promise<void>) | undefined {
    const { open, rows, catchingUp, shownState } = state;
    const isSettled =
      (open.status === 'ready' || open.status === 'part') && catchingUp === undefined && rows.early.size === 0;
    if (!isSettled || !isVisible() || shownState?.version !== asked.version) return undefined;
    if (!('puts' in answer) || answer.puts.length + answer.removes.length === 0) return undefined;
    const { timeline = null } = shownState;
    if (timeline !== asked.timeline || (answer.timeline ?? timeline) !== timeline) return undefined;
    addEarly(rows, answer);
    showRows();
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
    if (state.rows.early.size === 0 || state.watching === 'closed') return;
    revertEarly(state.rows);
    showRows();
  }

  function showRows(): void {
    state.open = { ...state.open, rows: listOf(state.rows) };
    publish();
  }

  function show(reading: CollectionReading): void {
    const { rows, filling, open } = state;
    state.shown = rows;
    state.shownState = reading.state;
    state.shownHere = reading.here;
    clearTimeout(filling.timer);
    const contents = contentsOf(rows, reading, ports.isHeldBack?.current() ?? false);
    const wait = filling.againAt - performance.now();
    if (contents.status === 'filling' && open.rows.length > 0 && wait > 0) {
      filling.timer = setTimeout(() => show(reading), wait);
      return;
    }
    filling.againAt = performance.now() + fillingPaceMs;
    state.open = { ...contents, rows: listOf(rows) };
    publish();
  }

  async function parse(hashes: string[]): Promise<void> {
    const unread = hashes.filter((hash) => !parsed.has(hash));
    // One that is not there was deleted since it was listed: a newer manifest took over, and its read comes next.
    for (const segment of unread.length === 0 ? [] : await db.segments.bulkGet(unread))
      if (segment !== undefined) parsed.set(segment.hash, unpack(segment.text));
  }

  const unpack = (text: string) => unpackSegment(collection, text) as Row<Name>[];

  /** It is shown when a reading lists it; one that cannot be read fails then. */
  function hear(hash: string, text: string): void {
    try {
      parsed.set(hash, unpack(text));
    } catch {
      parsed.delete(hash);
    }
  }

  async function catchUp(first: CollectionReading): Promise<void> {
    if (state.watching === 'closed') return;
    const isSame = nameOf(first.state?.manifest ?? null) === state.rows.manifest;
    const reading = isSame || first.since === '' ? first : await readCollection(db, collection, '');
    if (!isSame) startAgain(reading);
    addChanges(state.rows, reading);
    await addNewSegments(reading);
    show(reading);
  }

  /** Another manifest: its rows are built beside the old, which stay shown, where they were whole, until it is. */
  function startAgain(reading: CollectionReading): void {
    const manifest = reading.state?.manifest ?? null;
    const hashes = new Set(manifest?.segments.map(({ hash }) => hash));
    for (const hash of parsed.keys()) if (!hashes.has(hash)) parsed.delete(hash);
    state.rows = createRows(nameOf(manifest));
  }

  async function addNewSegments(reading: CollectionReading): Promise<void> {
    const { rows } = state;
    const waiting = unreadSegments(rows, reading);
    let begun = performance.now();
    while (waiting.length > 0 && state.watching !== 'closed') {
      const isFirst = rows.added.size === 0;
      const batch = waiting.splice(0, isFirst ? 1 : segmentsAtOnce);
      await parse(batch);
      for (const hash of batch) {
        const segment = parsed.get(hash);
        if (segment !== undefined) addSegment(rows, hash, segment);
      }
      if (waiting.length === 0) return;
      // A screenful at once; then all of it, because every list in between would be filtered, sorted and drawn for
      // nothing.
      if (isFirst && state.open.status !== 'ready') {
        show(reading);
        await pause();
      } else if (performance.now() - begun < yieldAfterMs) continue;
      else await yieldToMain();
      begun = performance.now();
    }
  }

  /** The newest read has all that the ones before it had, so those that came meanwhile are skipped. */
  async function takeTurns(reading: CollectionReading): Promise<void> {
    if (state.catchingUp !== undefined) {
      state.catchingUp.next = reading;
      return;
    }
    const mine: MemoryState<Name>['catchingUp'] = { next: reading };
    state.catchingUp = mine;
    for (let next: CollectionReading | undefined = reading; next !== undefined; next = mine.next) {
      mine.next = undefined;
      await catchUp(next).catch(fail);
    }
    state.catchingUp = undefined;
  }

  function fail(error: unknown): void {
    state.open = { ...state.open, status: 'failed' };
    publish();
    ports.onError?.(error);
  }

  function start(): void {
    if (state.watching !== undefined) return;
    const read = () => withConnection(db, () => readCollection(db, collection, state.rows.since));
    stopHearing = ports.downloaded?.hear(collection, hear);
    state.watching = liveQuery(read).subscribe({ next: (reading) => void takeTurns(reading), error: fail });
  }
  let stopHearing: (() => void) | undefined;
  const unsubscribeGate = gate?.subscribe(publish);
  const unsubscribeHeldBack = ports.isHeldBack?.subscribe(() => {
    if (state.shownState === undefined) return;
    const reading = { state: state.shownState, here: state.shownHere };
    state.open = { ...state.open, ...contentsOf(state.shown, reading, ports.isHeldBack?.current() ?? false) };
    publish();
  });
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
      return isVisible() ? state.shown.byId.get(id) : undefined;
    },
    showEarly,
    close: () => {
      if (state.watching !== 'closed') state.watching?.unsubscribe();
      state.watching = 'closed';
      stopHearing?.();
      clearTimeout(state.filling.timer);
      unsubscribeGate?.();
      unsubscribeHeldBack?.();
    },
  };
}
