import { Refusal } from '../../shared/mutations/refusal.ts';
import type { CancelTimer, Clock } from '../db/clock.ts';
import { withConnection } from '../db/connection.ts';
import type { PersonDb } from '../db/person-db.ts';
import { orFull } from '../db/storage-errors.ts';
import { backoffMs } from '../sync/backoff.ts';
import type { AlongWith } from '../sync/mutate.ts';
import type { PutLogo } from './put-logo.ts';

/*
 * A new logo chosen without signal. There is one at a time, so it lies among the drafts: waiting → its bytes are in storage, and in one
 * transaction the draft goes and a `profile.edit` with its address stands in the outbox. Killed anywhere, the lane does the last step
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

export const waitingLogoKey = 'logo-to-send';

/** Keeps the logo for the lane, in place of one that waited before. Throws `StorageFull` where there is no room. */
export async function keepLogo(db: PersonDb, logo: Omit<WaitingLogo, 'state' | 'error'>, now: string): Promise<void> {
  const value: WaitingLogo = { ...logo, state: 'waiting', error: null };
  try {
    await withConnection(db, () => db.transaction('rw', 'drafts', async () => void (await db.drafts.put({ key: waitingLogoKey, value, savedAt: now }))));
  } catch (error) {
    throw orFull(error);
  }
}

export async function findWaitingLogo(db: PersonDb): Promise<WaitingLogo | undefined> {
  return withConnection(db, async () => (await db.drafts.get(waitingLogoKey))?.value as WaitingLogo | undefined);
}

/** The person's tap on one that failed: from the beginning. */
export async function retryLogo(db: PersonDb): Promise<void> {
  await withConnection(db, () =>
    db.transaction('rw', 'drafts', async () => {
      const draft = await db.drafts.get(waitingLogoKey);
      if (draft !== undefined) await db.drafts.put({ ...draft, value: { ...(draft.value as WaitingLogo), state: 'waiting', error: null } });
    }),
  );
}

export async function dropLogo(db: PersonDb): Promise<void> {
  await withConnection(db, () => db.drafts.delete(waitingLogoKey));
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
    const logo = await findWaitingLogo(db);
    if (logo === undefined || logo.state === 'failed') return true;
    const result = await putInTime(logo);
    if (result.kind === 'unreachable') return false;
    // Another was chosen meanwhile, or this one was taken back, or a screen has sent it: nothing more to do for this one.
    if ((await findWaitingLogo(db))?.path !== logo.path) return stopping.signal.aborted || send();
    if (result.kind === 'refused') {
      await fail(logo, result.message);
      return true;
    }
    try {
      await mutate('profile.edit', { id: logo.tradieId, set: { logo: result.ref }, base: { logo: logo.base } }, { dropDraft: waitingLogoKey });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      await fail(logo, error.message);
    }
    return true;
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

  async function fail(logo: WaitingLogo, error: string): Promise<void> {
    await withConnection(db, () => db.drafts.update(waitingLogoKey, { value: { ...logo, state: 'failed', error } }));
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
