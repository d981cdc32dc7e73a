import type { OutboxEntry, PhotoEntry, RejectedEntry } from '../db/person-db.ts';
import type { HeldChange } from '../held/held-changes.ts';
import type { WaitingLogo } from '../photos/keep-logo.ts';
import { jobOf } from './mutation-words.ts';
import { count, words } from './common-words.ts';

export interface ItemState {
  readonly kind: 'held' | 'saving' | 'saved' | 'sending' | 'restoring' | 'failed' | 'rejected' | 'photos';
  readonly words: string;
}

export interface UnsyncedNow {
  /** What is on this phone, and waits. */
  readonly outbox: readonly OutboxEntry[];
  /** What is shown already, and not on this phone yet: nothing may call it saved. */
  readonly saving: readonly OutboxEntry[];
  readonly rejected: readonly RejectedEntry[];
  readonly photos: readonly PhotoEntry[];
  /** A new logo whose bytes are only here. */
  readonly logo?: WaitingLogo | undefined;
  /** What can still be taken back: it is no change yet. */
  readonly held?: readonly HeldChange[];
  /** The state of the attempt; `turned-back`: something answers, but not the server, or the server is failing. */
  readonly attempt: 'none' | 'under-way' | 'turned-back';
}

const savingState: ItemState = { kind: 'saving', words: words.saving };

/**
 * The state of the queued mutation that is meant: of what is still being saved, where there is such, else of what
 * waits.
 */
export function queuedState(
  { outbox, saving, attempt }: Pick<UnsyncedNow, 'outbox' | 'saving' | 'attempt'>,
  isMeant: (entry: OutboxEntry) => boolean,
): ItemState | undefined {
  if (saving.some(isMeant)) return savingState;
  const entry = outbox.find(isMeant);
  return entry && entryState(entry, attempt);
}

/** It had reached the server once, or waits for what another device brings back: it does not simply go out. */
export const isBeingRestored = ({ from, restoring }: Pick<OutboxEntry, 'from' | 'restoring'>): boolean =>
  from?.version !== undefined || restoring !== undefined;

/**
 * The state of one queued mutation. Between two attempts it is simply on this phone, unless the cause of a failure is
 * known.
 */
export function entryState(entry: OutboxEntry, attempt: UnsyncedNow['attempt']): ItemState {
  if (isBeingRestored(entry)) return { kind: 'restoring', words: words.restoring };
  if (entry.state === 'sent' && attempt === 'under-way') return { kind: 'sending', words: words.sending };
  if (entry.state === 'sent' && (attempt === 'turned-back' || entry.lastError !== null))
    return { kind: 'failed', words: words.couldntSend };
  return { kind: 'saved', words: words.saved };
}

/** The state of a picture whose bytes are not uploaded. */
export function pictureState(state: PhotoEntry['state']): ItemState {
  if (state === 'failed') return { kind: 'failed', words: words.couldntSend };
  return state === 'waiting' ? { kind: 'saved', words: words.saved } : { kind: 'sending', words: words.sending };
}

/**
 * Photos whose bytes are uploaded while the mutation that attaches them still waits: without it, no person will ever
 * see them.
 */
export function attachesOf({ outbox, photos }: Pick<UnsyncedNow, 'outbox' | 'photos'>): OutboxEntry[] {
  const sending = new Set(photos.map(({ id }) => id));
  return outbox.filter(({ name, args }) => name === 'photo.attach' && !sending.has((args as { id: string }).id));
}

/** The one state to show on a job, the one that needs the person most first; undefined when all is synced. */
export function jobState(
  jobId: string,
  imagesAdded: number,
  { outbox, saving, rejected, photos, held = [], attempt }: UnsyncedNow,
): ItemState | undefined {
  if (held.some((change) => jobOf(change) === jobId)) return { kind: 'held', words: words.closing };
  // A photo that was rejected marks the photo: the job itself is fine.
  if (rejected.some((entry) => jobOf(entry) === jobId && entry.name !== 'photo.attach'))
    return { kind: 'rejected', words: words.notAccepted };
  const mine = photos.filter((photo) => photo.jobId === jobId);
  const queued = queuedState(
    { outbox, saving, attempt },
    (entry) => jobOf(entry) === jobId && entry.name !== 'photo.attach',
  );
  if (queued !== undefined) return queued;
  // A photo is among the job's images as soon as the mutation that attaches it waits here.
  const attaching = attachesOf({ outbox, photos }).filter((entry) => jobOf(entry) === jobId).length;
  const still = mine.filter(({ state }) => state === 'waiting' || state === 'uploading').length + attaching;
  const added = Math.max(0, imagesAdded - attaching);
  return still === 0 ? undefined : { kind: 'photos', words: `${added} of ${added + still} photos added` };
}

/** Ids of a job's photos that were rejected, by the storage or by the server. */
export function rejectedPhotosOf(
  jobId: string,
  { photos, rejected }: Pick<UnsyncedNow, 'photos' | 'rejected'>,
): ReadonlySet<string> {
  const failed = photos.filter((photo) => photo.jobId === jobId && photo.state === 'failed').map(({ id }) => id);
  const unattached = rejected.filter((entry) => jobOf(entry) === jobId && entry.name === 'photo.attach');
  return new Set([...failed, ...unattached.map(({ args }) => (args as { id: string }).id)]);
}

/** `1 photo not added`; undefined where none was rejected. */
export const photosNotAdded = ({ size }: ReadonlySet<string>): string | undefined =>
  size === 0 ? undefined : `${count(size, 'photo')} not added`;
