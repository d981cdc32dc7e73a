import type { ArgsOf } from '../../shared/mutations/index.ts';
import { Rejection } from '../../shared/mutations/rejection.ts';
import type { CancelTimer, Clock } from '../db/clock.ts';
import { withConnection } from '../db/connection.ts';
import type { PersonDb } from '../db/person-db.ts';
import { StorageFull } from '../db/storage-errors.ts';
import { backoffMs } from '../sync/backoff.ts';
import type { CompanionWrites } from '../sync/mutate.ts';
import { findLogo, type WaitingLogo } from './keep-logo.ts';
import type { PutLogo } from './put-logo.ts';
import { settleLogo } from './settle-logo.ts';

/*
 * A new logo chosen without signal: waiting → its bytes are in storage, and in one transaction it is `uploaded` and a `profile.edit` with
 * its path is in the outbox → gone, once the server has applied that. Killed anywhere, the queue does the last step again, which
 * changes nothing.
 */

export interface LogoUploadQueuePorts {
  db: PersonDb;
  putLogo: PutLogo;
  mutate(name: 'profile.edit', args: ArgsOf<'profile.edit'>, companions: CompanionWrites): Promise<{ uid: string }>;
  clock: Clock;
  random: { next(): number };
  log(event: string, detail: string): void;
}

export interface LogoUploadQueue {
  /** Sends what waits, now. */
  wake(): void;
  /** For the engine: the network just worked. */
  afterExchange(): void;
  /** Resolves when nothing is under way; what waits for its next try does not count. Never rejects. */
  settled(): Promise<void>;
  stop(): void;
}

const uploadTimeoutMs = 120_000;

export function createLogoUploadQueue({
  db,
  putLogo,
  mutate,
  clock,
  random,
  log,
}: LogoUploadQueuePorts): LogoUploadQueue {
  const stopping = new AbortController();
  let running: Promise<void> | undefined;
  let isWanted = false;
  let failures = 0;
  /** What this queue put into the profile last, and what was there before: a logo chosen before that still names the latter. */
  let last: { base: string; ref: string } | undefined;
  let cancelRetry: CancelTimer = () => undefined;

  function wake(): void {
    isWanted = true;
    if (running !== undefined || stopping.signal.aborted) return;
    cancelRetry();
    running = run()
      .then(
        (isDone) => void (failures = isDone ? 0 : failures + 1),
        (error: unknown) => {
          failures += 1;
          log('logo-lane', error instanceof Error ? error.name : typeof error);
        },
      )
      .finally(() => {
        running = undefined;
        if (stopping.signal.aborted) return;
        if (isWanted) wake();
        else if (failures > 0) cancelRetry = clock.setTimer(backoffMs(failures, random.next()), wake);
      });
  }

  async function run(): Promise<boolean> {
    isWanted = false;
    if (await settleLogo(db, mutate)) last = undefined;
    return send();
  }

  /** False where no answer came. */
  async function send(): Promise<boolean> {
    const draft = await findLogo(db, 'to-send');
    if (draft === undefined || draft.logo.state === 'failed') return true;
    const { key, logo } = draft;
    const result = await putInTime(logo);
    if (result.kind === 'unreachable') return false;
    // Another was chosen meanwhile, or this one was cancelled, or a screen has sent it: nothing more to do for this one.
    if ((await findLogo(db, 'to-send'))?.key !== key) return stopping.signal.aborted || send();
    if (result.kind === 'refused') {
      await fail(key, logo, result.message);
      return true;
    }
    try {
      const base = logo.base === last?.base ? last.ref : logo.base;
      await edit(key, logo, { id: logo.tradieId, set: { logo: result.ref }, base: { logo: base } });
      last = { base: logo.base, ref: result.ref };
    } catch (error) {
      if (!(error instanceof Rejection)) throw error;
      await fail(key, logo, error.message);
    }
    // Another may have been chosen meanwhile.
    return stopping.signal.aborted || send();
  }

  /** On a full phone the bytes, which are uploaded, are deleted so that the edit fits. */
  async function edit(key: string, logo: WaitingLogo, args: ArgsOf<'profile.edit'>): Promise<void> {
    const changeDraft = { key, value: { ...logo, state: 'uploaded', error: null } satisfies WaitingLogo };
    try {
      await mutate('profile.edit', args, { changeDraft });
    } catch (error) {
      if (!(error instanceof StorageFull)) throw error;
      await mutate('profile.edit', args, { dropDraft: key });
    }
  }

  async function putInTime({ path, bytes, type }: WaitingLogo) {
    const attempt = new AbortController();
    const abort = () => attempt.abort();
    stopping.signal.addEventListener('abort', abort);
    const cancel = clock.setTimer(uploadTimeoutMs, abort);
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
