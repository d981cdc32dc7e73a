import type { ArgsOf } from '../../shared/mutations/index.ts';
import { Rejection } from '../../shared/mutations/rejection.ts';
import { withConnection } from '../db/connection.ts';
import type { PersonDb } from '../db/person-db.ts';
import { StorageFull } from '../db/storage-errors.ts';
import type { CompanionWrites } from '../sync/mutate.ts';
import { findLogo, type WaitingLogo } from './keep-logo.ts';
import { createSendLost } from './kept-photos.ts';
import type { PutLogo } from './put-logo.ts';
import { settleLogo } from './settle-logo.ts';
import type { UploadRequest } from './upload.ts';
import { createUploadQueue, type Round, type UploadQueue, type UploadQueuePorts } from './upload-queue.ts';
import { waitingForFile } from './waiting-for-file.ts';

/*
 * A new logo chosen without signal: waiting → its bytes are in storage, and in one transaction it is `uploaded` and a
 * `profile.edit` with its path is in the outbox → kept for a restore alone (C16), once the server has applied that.
 * Killed anywhere, the queue does the last step again, which changes nothing.
 */

export interface LogoUploadQueuePorts extends UploadQueuePorts {
  db: PersonDb;
  userId: string;
  putLogo: PutLogo;
  mutate(name: 'profile.edit', args: ArgsOf<'profile.edit'>, companions: CompanionWrites): Promise<{ uid: string }>;
  /** There is something new to send. */
  wakeUp(): void;
}

export function createLogoUploadQueue(ports: LogoUploadQueuePorts): UploadQueue {
  const { db, putLogo, mutate } = ports;
  /**
   * What this queue put into the profile last, and what was there before: a logo chosen before that still names the
   * latter.
   */
  let last: { base: string; ref: string } | undefined;

  const sendLost = createSendLost(
    db,
    'profile.edit',
    // One logo goes at a time; uploading another than the one that is asked for changes nothing.
    async () => (await findLogo(db, 'uploaded'))?.logo,
    put,
  );

  async function run(round: Round): Promise<boolean> {
    if (await settleLogo(db, mutate)) last = undefined;
    await settleLost();
    return (await send(round)) && (await sendLost(round));
  }

  /** Rare, so its code is loaded where storage has lost a logo. */
  async function settleLost(): Promise<void> {
    const isEdit = ({ name }: { name: string }) => name === 'profile.edit';
    const hasLost = await withConnection(
      db,
      async () =>
        (await waitingForFile(db).filter(isEdit).count()) +
        (await db.refused.filter((entry) => isEdit(entry) && entry.code === 'file-missing').count()),
    );
    if (hasLost === 0) return;
    const { giveUpLostLogos, settleLostLogos } = await import('./lost-logos.ts');
    if (await giveUpLostLogos(ports)) ports.wakeUp();
    await settleLostLogos(db, mutate);
  }

  function put({ path, bytes, type }: UploadRequest, round: Round) {
    return round.inTime((signal) => putLogo({ path, bytes, type }, signal));
  }

  /** False where no answer came. */
  async function send(round: Round): Promise<boolean> {
    const draft = await findLogo(db, 'to-send');
    if (draft === undefined || draft.logo.state === 'failed') return true;
    const { key, logo } = draft;
    const result = await put(logo, round);
    if (result.kind === 'unreachable') return false;
    // Another was chosen meanwhile, or this one was cancelled, or a screen has sent it: nothing more to do for this
    // one.
    if ((await findLogo(db, 'to-send'))?.key !== key) return round.isStopping() || send(round);
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
    return round.isStopping() || send(round);
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

  async function fail(key: string, logo: WaitingLogo, error: string): Promise<void> {
    await withConnection(db, () => db.drafts.update(key, { value: { ...logo, state: 'failed', error } }));
  }

  return createUploadQueue(ports, 'logo-lane', run);
}
