import { vi } from 'vitest';
import { must } from '../../../shared/lib/must.ts';
import { positionKeyOf, stateOf } from '../collection-dbs.ts';
import { openCollectionMemory, type CollectionMemory } from '../collection-memory.ts';
import { applyCollectionAnswer } from '../apply-collection-answer.ts';
import { openCollections } from './open-collections.ts';
import { makeFeedJob, buildSnapshot, type BuiltSnapshot } from './build-snapshot.ts';

/** The real timer, for the database. */
const later = globalThis.setTimeout;

export const at = '2026-11-21T00:00:00.000Z';
export const jobs = Array.from({ length: 60 }, () => makeFeedJob());
export const hashesOf = ({ manifest }: BuiltSnapshot) => manifest.segments.map(({ hash }) => hash);
export const here = (memory: CollectionMemory<'feed'>) => [
  memory.current().status,
  memory.current().progress.here,
  memory.current().rows.length,
];

/** Waits until everything left needs a timer; timers of 0 ms, which yield to main, fire here. */
export async function still(): Promise<void> {
  for (let turn = 0; turn < 60; turn += 1) {
    await new Promise((resolve) => later(resolve, 0));
    vi.advanceTimersByTime(0);
  }
}

/** A device's feed and its readers, on a clock that only the test moves. */
export async function openFixedFeed() {
  const device = await openCollections();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  const closing: { close(): void }[] = [];
  const closeLater = <Memory extends { close(): void }>(memory: Memory): Memory => {
    closing.push(memory);
    return memory;
  };
  const take = async (answer: Parameters<typeof applyCollectionAnswer>[2], version: string | null) => {
    const mark = positionKeyOf(await stateOf(device.personDb, 'feed'));
    return applyCollectionAnswer(device.personDb, 'feed', answer, {
      asked: { version, timeline: version && 'first', mark },
      at,
    });
  };
  const store = (snapshot: BuiltSnapshot, hashes = hashesOf(snapshot)) =>
    device.personDb.segments.bulkPut(
      hashes.map((hash) => ({ hash, shelf: 'feed' as const, text: must(snapshot.texts.get(hash), hash) })),
    );
  return {
    publicDb: device.publicDb,
    personDb: device.personDb,
    /** Closes it with the device. */
    closeLater,
    open: (changes: Partial<Parameters<typeof openCollectionMemory<'feed'>>[0]> = {}): CollectionMemory<'feed'> =>
      closeLater(
        openCollectionMemory({ db: device.personDb, collection: 'feed', pause: async () => undefined, ...changes }),
      ),
    take,
    store,
    /** Stores and applies a whole snapshot at once. */
    whole: async (version: string, rows = jobs.slice(0, 30), size = 10) => {
      const snapshot = await buildSnapshot('feed', version, rows, size);
      await store(snapshot);
      await take({ manifest: snapshot.manifest }, null);
      return snapshot;
    },
    /** The segments read from the disk from now on. */
    readings: () => {
      const read: string[] = [];
      device.personDb.segments.hook('reading', (segment) => {
        read.push(segment.hash);
        return segment;
      });
      return read;
    },
    close: async () => {
      for (const one of closing) one.close();
      vi.useRealTimers();
      vi.unstubAllGlobals();
      vi.restoreAllMocks();
      await device.close();
    },
  };
}
