import { openPersonDb, openPublicDb } from '../../db/person-db.ts';
import type { ShelvesQuestion } from '../../sync/ports.ts';
import { createShelves, type ShelvesOnDevice, type ShelvesPorts } from '../shelves-on-device.ts';
import { digestBytes } from '../digest-bytes.ts';
import type { Sealed } from './seal.ts';

export const userId = '0195b000-0000-7000-8000-000000000001';

type Versions = ShelvesQuestion['versions'];

/** What a device asks that has these versions, of the timeline that `seal` seals in unless another is named. */
export function questionOf(versions: Versions, timeline = 'first', marks: ShelvesQuestion['marks'] = {}): ShelvesQuestion {
  const known = Object.entries(versions).filter(([, version]) => version !== null);
  return { versions, marks, timelines: Object.fromEntries(known.map(([shelf]) => [shelf, timeline])) };
}

export const bytesOf = (text: string) => ({ kind: 'bytes' as const, bytes: new TextEncoder().encode(text) });

/** A device with its databases, a hand-held clock and a server that gives the texts it was given. */
export async function openShelves() {
  const [publicDb, personDb] = [openPublicDb(), openPersonDb(userId)];
  await Promise.all([publicDb.open(), personDb.open()]);
  /** This tab leads, and this is the cookie of its last answer. */
  const fence = { epoch: 1, cookie: 'cookie' };
  await personDb.meta.bulkPut([{ key: 'leader', value: { epoch: fence.epoch, beat: 0 } }, { key: 'cookie', value: fence.cookie }]);
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
  const open = (changes: Partial<ShelvesPorts> = {}) =>
    createShelves({
      homes: { publicDb, personDb },
      userId,
      clock,
      chance: () => 0.5,
      fetchSegment: async (_shelf, hash) => {
        fetched.push(hash);
        const text = texts.get(hash);
        return text === undefined ? { kind: 'gone' } : bytesOf(text);
      },
      fetchManifest: () => Promise.reject(new Error('not asked for in this test')),
      digest: digestBytes,
      onDenied: async (shelf) => void denied.push(shelf),
      log: (event) => void events.push(event),
      ...changes,
    });
  return {
    publicDb,
    personDb,
    clock,
    fence,
    /** An answer to what was asked just now, with these versions. */
    takeIn: async (shelves: ShelvesOnDevice, answers: Parameters<ShelvesOnDevice['takeIn']>[0], versions: Versions) =>
      shelves.takeIn(answers, questionOf(versions, 'first', (await shelves.asked()).marks), fence),
    texts,
    fetched,
    denied,
    events,
    open,
    /** Lets every timer that waits go off. */
    fireTimers: () => {
      for (const fire of Array.from(timers)) {
        timers.delete(fire);
        fire();
      }
    },
    serve: (sealed: Sealed) => {
      for (const [hash, text] of sealed.texts) texts.set(hash, text);
    },
    close: async () => {
      await Promise.all([publicDb.delete(), personDb.delete()]);
    },
  };
}
