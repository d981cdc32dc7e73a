import { Refusal } from '../../shared/mutations/refusal.ts';
import type { CancelTimer, Clock } from '../db/clock.ts';
import { withConnection } from '../db/connection.ts';
import type { Draft, PersonDb } from '../db/person-db.ts';
import { orFull } from '../db/storage-errors.ts';
import { backoffMs } from '../sync/backoff.ts';
import type { AlongWith } from '../sync/mutate.ts';
import type { PutLogo } from './put-logo.ts';

/*
 * A new logo chosen without signal. There is one at a time, so it lies among the drafts, under a key of its own, so that what is done to
 * one is never done to the next: waiting → its bytes are in storage, and in one transaction the draft goes and a `profile.edit` with its
 * path stands in the outbox. Killed anywhere, the lane does the last step
 * again, which changes nothing.
 */

export interface WaitingLogo {
  tradieId: string;
  /** The logo that stood there when this one was chosen. */
  base: string;
  /** Fixed when it was chosen, so that a repeated upload is the same upload. */
  path: string;
  bytes: ArrayBuffer;
  type: string;
  state: 'waiting' | 'failed';
  /** Why storage did not take it. */
  error: string | null;
}

const keysBegin = 'logo-to-send';

const waiting = (db: PersonDb) => db.drafts.where('key').startsWith(keysBegin);

export interface KeptLogo {
  /** Its draft's. */
  readonly key: string;
  /** What waited until this one was chosen. */
  readonly replaced: readonly Draft[];
}

/** Keeps the logo for the lane, in place of one that waited before. Throws `StorageFull` where there is no room. */
export async function keepLogo(db: PersonDb, logo: Omit<WaitingLogo, 'state' | 'error'>, now: string): Promise<KeptLogo> {
  const key = `${keysBegin}/${logo.path}`;
  const value: WaitingLogo = { ...logo, state: 'waiting', error: null };
  try {
    return await withConnection(db, () =>
      db.transaction('rw', 'drafts', async () => {
        const replaced = await waiting(db).toArray();
        await waiting(db).delete();
        await db.drafts.put({ key, value, savedAt: now });
        return { key, replaced };
      }),
    );
  } catch (error) {
    throw orFull(error);
  }
}

/** Storage refused this one: what it replaced waits again, unless this one was sent, taken back or replaced meanwhile. */
export async function undoKeepLogo(db: PersonDb, { key, replaced }: KeptLogo): Promise<void> {
  await withConnection(db, () =>
    db.transaction('rw', 'drafts', async () => {
      if ((await db.drafts.where('key').equals(key).delete()) > 0) await db.drafts.bulkPut([...replaced]);
    }),
  );
}

export async function findWaitingLogo(db: PersonDb): Promise<WaitingLogo | undefined> {
  return (await findDraft(db))?.logo;
}

async function findDraft(db: PersonDb): Promise<{ key: string; logo: WaitingLogo } | undefined> {
  const draft = await withConnection(db, () => waiting(db).first());
  return draft === undefined ? undefined : { key: draft.key, logo: draft.value as WaitingLogo };
}

/** The person's tap on one that failed: from the beginning. */
export async function retryLogo(db: PersonDb): Promise<void> {
  await withConnection(db, () =>
    db.transaction('rw', 'drafts', async () => {
      const draft = await waiting(db).first();
      if (draft !== undefined) await db.drafts.put({ ...draft, value: { ...(draft.value as WaitingLogo), state: 'waiting', error: null } });
    }),
  );
}

/** The person does not want the one that waits. */
export async function dropLogo(db: PersonDb): Promise<void> {
  await withConnection(db, () => waiting(db).delete());
}

export interface LogoLanePorts {
  db: PersonDb;
  putLogo: PutLogo;
  mutate(name: 'profile.edit', args: { id: string; set: { logo: string }; base: Record<string, unknown> }, along: AlongWith): Promise<{ uid: string }>;
  clock: Clock;
  random: { next(): number };
  log(event: string, detail: string): void;
}

export interface LogoLane {
  /** Sends what waits, now. */
  wake(): void;
  /** For the engine: the network just worked. */
  afterExchange(): void;
  /** Resolves when nothing is under way; what waits for its next try does not count. Rejects never. */
  settled(): Promise<void>;
  stop(): void;
}

const patienceMs = 120_000;

export function createLogoLane({ db, putLogo, mutate, clock, random, log }: LogoLanePorts): LogoLane {
  const stopping = new AbortController();
  let running: Promise<void> | undefined;
  let failures = 0;
  /** What this lane put into the profile last, and what stood there before: a logo chosen before that still names the latter. */
  let last: { base: string; ref: string } | undefined;
  let cancelRetry: CancelTimer = () => undefined;

  function wake(): void {
    if (running !== undefined || stopping.signal.aborted) return;
    cancelRetry();
    running = send()
      .then(
        (isDone) => void (failures = isDone ? 0 : failures + 1),
        (error: unknown) => {
          failures += 1;
          log('logo-lane', error instanceof Error ? error.name : typeof error);
        },
      )
      .finally(() => {
        running = undefined;
        if (failures > 0 && !stopping.signal.aborted) cancelRetry = clock.setTimer(backoffMs(failures, random.next()), wake);
      });
  }

  /** False where nobody answered. */
  async function send(): Promise<boolean> {
    const draft = await findDraft(db);
    if (draft === undefined || draft.logo.state === 'failed') return true;
    const { key, logo } = draft;
    const result = await putInTime(logo);
    if (result.kind === 'unreachable') return false;
    // Another was chosen meanwhile, or this one was taken back, or a screen has sent it: nothing more to do for this one.
    if ((await findDraft(db))?.key !== key) return stopping.signal.aborted || send();
    if (result.kind === 'refused') {
      await fail(key, logo, result.message);
      return true;
    }
    try {
      const base = logo.base === last?.base ? last.ref : logo.base;
      await mutate('profile.edit', { id: logo.tradieId, set: { logo: result.ref }, base: { logo: base } }, { dropDraft: key });
      last = { base: logo.base, ref: result.ref };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      await fail(key, logo, error.message);
    }
    // Perhaps another was chosen in the moment between.
    return stopping.signal.aborted || send();
  }

  async function putInTime({ path, bytes, type }: WaitingLogo) {
    const attempt = new AbortController();
    const abort = () => attempt.abort();
    stopping.signal.addEventListener('abort', abort);
    const cancel = clock.setTimer(patienceMs, abort);
    try {
      return await putLogo({ path, bytes, type }, attempt.signal);
    } finally {
      cancel();
      stopping.signal.removeEventListener('abort', abort);
    }
  }

  async function fail(key: string, logo: WaitingLogo, error: string): Promise<void> {
    await withConnection(db, () => db.drafts.update(key, { value: { ...logo, state: 'failed', error } }));
  }

  return {
    wake,
    afterExchange: wake,
    settled: async () => {
      while (running !== undefined) await running;
    },
    stop: () => {
      stopping.abort();
      cancelRetry();
    },
  };
}
