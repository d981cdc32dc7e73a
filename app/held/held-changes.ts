import { createId, type RandomSource } from '../../shared/lib/id.ts';
import type { ArgsOf } from '../../shared/mutations/index.ts';
import { Rejection } from '../../shared/mutations/rejection.ts';
import type { CancelTimer, Clock } from '../db/clock.ts';
import { withConnection } from '../db/connection.ts';
import type { PersonDb } from '../db/person-db.ts';
import { orFull } from '../db/storage-errors.ts';
import type { Live } from '../db/use-live.ts';
import { watchLive } from '../db/watch-live.ts';
import type { Watched } from '../lib/cell.ts';
import { createListeners } from '../lib/listeners.ts';
import type { Sync } from '../sync/create-sync.ts';
import { isQueuedOrDecided } from '../sync/decided.ts';
import { heldBegins } from '../sync/mutate.ts';

/*
 * A change that cannot be undone once it was sent is held on the device for some seconds first (docs/decisions/0007).
 * Until then it is no mutation: it waits beside the outbox, in the `drafts` store under a key of its own, where nothing
 * that sends looks. It becomes one in the transaction that removes it from there, so that of many tabs and the worker
 * one makes it, and never after it was taken back.
 */

/** Which mutations are held: only what nothing takes back once it was sent. */
export type HeldName = 'job.close';

/** How long a person has to take it back. */
export const holdMs = 10_000;

export interface HeldChange {
  /** Its draft's key: `held/` and the uid that it will have, in whichever tab it is made. */
  readonly key: string;
  readonly name: HeldName;
  readonly args: ArgsOf<HeldName>;
  /** The title of what it is about, for a screen that does not have it. */
  readonly about: string;
  /** Unix milliseconds by this device. */
  readonly until: number;
}

/** A held change is a mutation now, made here or elsewhere, or could not become one. */
export type Made = HeldChange & ({ readonly uid: string } | { readonly error: unknown });

export interface HeldChanges {
  readonly now: Watched<Live<readonly HeldChange[]>>;
  /** Resolves when it is on the disk; the same change is held once. Throws `StorageFull`. */
  hold<Name extends HeldName>(name: Name, args: ArgsOf<Name>, about: string): Promise<void>;
  /** False where it is a mutation already. Where it is held no more without being one, it was taken back before. */
  takeBack(key: string): Promise<boolean>;
  /** Called in each tab. Where it was taken back in that moment, waiting for the uid ends as cancelled. */
  onMade(hear: (made: Made) => void): () => void;
  stop(): void;
}

export interface HeldPorts {
  db: PersonDb;
  clock: Clock;
  random: RandomSource;
  mutate: Sync['mutate'];
  log(event: string, detail: string): void;
  /** Something is held now: the browser may be asked to wake the worker for it. */
  onHeld?: () => void;
  /** Shorter in tests. */
  ms?: number;
}

/** The uid that a held change has once it is made. */
const uidOf = (key: string) => key.slice(heldBegins.length);

/** What is held, the first to become due first. */
export async function heldIn(db: PersonDb): Promise<HeldChange[]> {
  const drafts = await withConnection(db, () => db.drafts.where('key').startsWith(heldBegins).toArray());
  return drafts
    .map(({ key, value }) => ({ ...(value as Omit<HeldChange, 'key'>), key }))
    .toSorted((one, other) => one.until - other.until);
}

/** No longer than the whole hold from now on, also where the clock was set back meanwhile. */
const msLeft = ({ until }: HeldChange, clock: Clock, ms: number) => Math.min(ms, Math.max(0, until - clock.now()));

export function createHeldChanges({ db, clock, random, mutate, log, onHeld, ms = holdMs }: HeldPorts): HeldChanges {
  const timers = new Map<string, { held: HeldChange; cancel: CancelTimer }>();
  const made = createListeners<[Made]>();
  /** What this tab makes, and so tells of itself. */
  const making = new Set<string>();
  const now = watchLive(() => heldIn(db));

  /** Asked of the disk: memory may not have yet what another tab made. */
  const isMade = (key: string) => withConnection(db, () => isQueuedOrDecided(db, uidOf(key)));

  /** It is a mutation, though not by an answer that this tab got. */
  async function tellMade(held: HeldChange): Promise<void> {
    // What is not in memory yet would look cancelled to the one who waits for it.
    await db.rows.read();
    made.tell({ ...held, uid: uidOf(held.key) });
  }

  /** It is held no more, and this tab had no part in that: it was made elsewhere, or taken back. */
  async function tellOfOthers(held: HeldChange): Promise<void> {
    try {
      if (await isMade(held.key)) await tellMade(held);
    } catch (error) {
      if (!db.hasBeenClosed()) log('held-unread', String(error));
    }
  }

  async function make(held: HeldChange): Promise<void> {
    making.add(held.key);
    try {
      const { uid } = await mutate(held.name, held.args, { held: held.key });
      made.tell({ ...held, uid });
    } catch (error) {
      // Log-out, or a newer app in another tab: it is theirs to make, or gone with the database.
      if (db.hasBeenClosed()) return;
      log('held-unmade', error instanceof Rejection ? error.code : String(error));
      try {
        // It may be made all the same: its answer was lost after the commit, or another tab was quicker.
        if (await takeBack(held.key)) made.tell({ ...held, error });
        else await tellMade(held);
      } catch (error) {
        log('held-unread', String(error));
        // It may be held still: called failed now, it would be made at the next opening.
        making.delete(held.key);
        makeIn(ms, held);
      }
    }
  }

  function makeIn(wait: number, held: HeldChange): void {
    timers.set(held.key, { held, cancel: clock.setTimer(wait, () => void make(held)) });
  }

  function schedule(): void {
    const read = now.current();
    if (read.state !== 'ready') return;
    const keys = new Set(read.value.map(({ key }) => key));
    for (const [key, { held, cancel }] of timers) {
      if (keys.has(key)) continue;
      cancel();
      timers.delete(key);
      if (!making.delete(key)) void tellOfOthers(held);
    }
    for (const held of read.value) if (!timers.has(held.key)) makeIn(msLeft(held, clock, ms), held);
  }

  async function takeBack(key: string): Promise<boolean> {
    const count = await withConnection(db, () => db.drafts.where('key').equals(key).delete());
    return count > 0 || !(await isMade(key));
  }

  const stopWatching = now.subscribe(schedule);

  return {
    now,
    hold: async (name, args, about) => {
      const value: Omit<HeldChange, 'key'> = { name, args, about, until: clock.now() + ms };
      const uid = createId(clock.now(), random);
      const draft = { key: `${heldBegins}${uid}`, value, savedAt: new Date(clock.now()).toISOString() };
      try {
        await withConnection(db, () =>
          db.transaction('rw', 'drafts', async () => {
            const isHeld = (await heldIn(db)).some((one) => one.name === name && one.args.id === args.id);
            if (!isHeld) await db.drafts.put(draft);
          }),
        );
      } catch (error) {
        throw orFull(error);
      }
      onHeld?.();
    },
    takeBack,
    onMade: made.add,
    stop: () => {
      stopWatching();
      for (const { cancel } of timers.values()) cancel();
      timers.clear();
    },
  };
}

/** Waits, with the app closed, until what is held is due, and makes it. False where nothing was held. */
export async function carryOutHeld({
  db,
  clock,
  mutate,
  ms = holdMs,
}: Omit<HeldPorts, 'log' | 'onHeld' | 'random'>): Promise<boolean> {
  const waiting = await heldIn(db);
  for (const held of waiting) {
    await new Promise<void>((resolve) => void clock.setTimer(msLeft(held, clock, ms), resolve));
    try {
      await mutate(held.name, held.args, { held: held.key });
    } catch (error) {
      // Its person is told when the app is open again.
      if (!(error instanceof Rejection)) throw error;
    }
  }
  return waiting.length > 0;
}
