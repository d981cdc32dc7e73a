import { shelfNames, type ShelfName } from '../../shared/tables/shelves.ts';
import type { ShelfDb } from '../db/person-db.ts';
import { finishManifest } from './enter-manifest.ts';
import { missingSegments, wantedManifest } from './missing-segments.ts';
import { homeOf, shelfStoreNames, stateOf, type ShelfHomes } from './shelf-homes.ts';

/** `gone`: the server has no such segment any more. `refused`: not this person's to read. */
export type FetchedSegment = { kind: 'text'; text: string } | { kind: 'gone' } | { kind: 'refused' };

/** Rejects where nobody answered. */
export type FetchSegment = (shelf: ShelfName, hash: string, signal: AbortSignal) => Promise<FetchedSegment>;

export interface DownloadPorts {
  homes: ShelfHomes;
  fetchSegment: FetchSegment;
  /** SHA-256 of the text's UTF-8, hex. */
  digest(text: string): Promise<string>;
  log(event: string, detail: string): void;
}

interface Wanted {
  db: ShelfDb;
  shelf: ShelfName;
  hash: string;
}

const atOnce = 2;
/** What the first screen needs comes first. */
const inOrder: readonly ShelfName[] = ['reference', 'feed', 'directory'];

/**
 * Downloads what is missing, newest first, two at a time; every segment is on disk before the next is asked for, so a broken
 * download goes on where it stopped. Resolves false where something is still missing; rejects where nobody answered.
 */
export async function downloadSegments(ports: DownloadPorts, signal: AbortSignal): Promise<boolean> {
  const wanted = await listWanted(ports.homes);
  const closed = new Set<ShelfName>();
  let isWhole = true;
  const worker = async () => {
    for (let next = wanted.shift(); next !== undefined && !signal.aborted; next = wanted.shift()) {
      if (closed.has(next.shelf)) continue;
      const result = await downloadOne(ports, next, signal);
      if (result !== 'stored') isWhole = false;
      if (result === 'closed') closed.add(next.shelf);
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: atOnce }, worker));
  for (const shelf of shelfNames) {
    const db = homeOf(ports.homes, shelf);
    if (db !== undefined) await finishManifest(db, shelf);
  }
  const failed = ended.find((end) => end.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
  return isWhole && !signal.aborted;
}

/** The lists everybody needs and the first screenful of jobs come first, then the others turn about. */
async function listWanted(homes: ShelfHomes): Promise<Wanted[]> {
  const piles: Wanted[][] = [];
  for (const shelf of inOrder) {
    const db = homeOf(homes, shelf);
    if (db === undefined) continue;
    const manifest = wantedManifest(await stateOf(db, shelf));
    if (manifest === null) continue;
    piles.push((await missingSegments(db, manifest)).map(({ hash }) => ({ db, shelf, hash })));
  }
  const longest = Math.max(0, ...piles.map((pile) => pile.length));
  return Array.from({ length: longest }, (_none, at) => piles.flatMap((pile) => pile[at] ?? [])).flat();
}

async function downloadOne(ports: DownloadPorts, { db, shelf, hash }: Wanted, signal: AbortSignal): Promise<'stored' | 'broken' | 'closed'> {
  const fetched = await ports.fetchSegment(shelf, hash, signal);
  if (fetched.kind === 'refused') return 'closed';
  if (fetched.kind === 'gone') {
    ports.log('segment-gone', `${shelf} ${hash}`);
    await forgetManifestOf(db, shelf, hash);
    return 'closed';
  }
  if ((await ports.digest(fetched.text)) !== hash) {
    ports.log('segment-broken', `${shelf} ${hash}, ${fetched.text.length} characters`);
    return 'broken';
  }
  await db.transaction('rw', [...shelfStoreNames], async () => {
    // Between question and answer the right to read it may have gone (I8), or a newer manifest come.
    const manifest = wantedManifest(await stateOf(db, shelf));
    if (!manifest?.segments.some((segment) => segment.hash === hash)) return;
    await db.segments.put({ hash, shelf, text: fetched.text });
  });
  return 'stored';
}

/** The manifest names something the server has thrown away: ask for another. Segments that are here stay, the next may share them. */
async function forgetManifestOf(db: ShelfDb, shelf: ShelfName, hash: string): Promise<void> {
  await db.transaction('rw', [...shelfStoreNames], async () => {
    const state = await stateOf(db, shelf);
    if (!wantedManifest(state)?.segments.some((segment) => segment.hash === hash)) return;
    await db.shelfStates.put({ ...state, coming: null, version: state.coming === null ? null : state.version });
  });
}
