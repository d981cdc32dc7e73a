import { openPersonDb, openPublicDb } from '../../db/person-db.ts';
import type { CollectionsQuestion } from '../../sync/ports.ts';
import { createCollections, type CollectionsOnDevice, type CollectionsPorts } from '../collections-on-device.ts';
import { digestBytes } from '../digest-bytes.ts';
import type { BuiltSnapshot } from './build-snapshot.ts';

export const userId = '0195b000-0000-7000-8000-000000000001';

type Versions = CollectionsQuestion['versions'];

/** What a device with these versions asks, of the timeline that `buildSnapshot` uses unless another is named. */
export function questionOf(
  versions: Versions,
  timeline = 'first',
  marks: CollectionsQuestion['marks'] = {},
): CollectionsQuestion {
  const known = Object.entries(versions).filter(([, version]) => version !== null);
  return { versions, marks, timelines: Object.fromEntries(known.map(([collection]) => [collection, timeline])) };
}

export const bytesOf = (text: string) => ({ kind: 'bytes' as const, bytes: new TextEncoder().encode(text) });

/** A device with its databases, a manual clock and a server that gives the texts it was given. */
export async function openCollections() {
  const [publicDb, personDb] = [openPublicDb(), openPersonDb(userId)];
  await Promise.all([publicDb.open(), personDb.open()]);
  /** This tab leads, and this is the cookie of its last answer. */
  const fence = { epoch: 1, cookie: 'cookie' };
  await personDb.meta.bulkPut([
    { key: 'leader', value: { epoch: fence.epoch, beat: 0 } },
    { key: 'cookie', value: fence.cookie },
  ]);
  const texts = new Map<string, string>();
  const fetched: string[] = [];
  const denied: string[] = [];
  const events: string[] = [];
  const timers = new Set<() => void>();
  const clock = {
    now: () => Date.UTC(2026, 10, 21),
    setTimer: (_ms: number, fire: () => void) => {
      timers.add(fire);
      return () => void timers.delete(fire);
    },
  };
  const open = (changes: Partial<CollectionsPorts> = {}) =>
    createCollections({
      dbs: { publicDb, personDb },
      userId,
      clock,
      chance: () => 0.5,
      fetchSegment: async (_collection, hash) => {
        fetched.push(hash);
        const text = texts.get(hash);
        return text === undefined ? { kind: 'gone' } : bytesOf(text);
      },
      fetchManifest: () => Promise.reject(new Error('not asked for in this test')),
      digest: digestBytes,
      onDenied: async (collection) => void denied.push(collection),
      log: (event) => void events.push(event),
      ...changes,
    });
  return {
    publicDb,
    personDb,
    clock,
    fence,
    /** An answer to what was asked just now, with these versions. */
    apply: async (
      collections: CollectionsOnDevice,
      answers: Parameters<CollectionsOnDevice['apply']>[0],
      versions: Versions,
    ) => collections.apply(answers, questionOf(versions, 'first', (await collections.asked()).marks), fence),
    texts,
    fetched,
    denied,
    events,
    open,
    /** Fires every waiting timer. */
    fireTimers: () => {
      for (const fire of Array.from(timers)) {
        timers.delete(fire);
        fire();
      }
    },
    serve: (snapshot: BuiltSnapshot) => {
      for (const [hash, text] of snapshot.texts) texts.set(hash, text);
    },
    close: async () => {
      await Promise.all([publicDb.delete(), personDb.delete()]);
    },
  };
}
