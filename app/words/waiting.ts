import { attachesOf, type UnsyncedNow } from './item-state.ts';
import { count } from './common-words.ts';

/**
 * What is unsynced, counted as people count: a photo that waits is a photo, not a change as well, and what needs the
 * person does not wait besides: it goes nowhere by itself.
 */
export interface Waiting {
  readonly changes: number;
  readonly photos: number;
  /** Changes not accepted and photos that failed: these need the person. */
  readonly needPerson: number;
}

type Picture = { readonly state: string } | undefined;
const hasFailed = (picture: Picture) => picture?.state === 'failed';
const isWaiting = (picture: Picture) => picture !== undefined && !hasFailed(picture);

export function waitingOf({ outbox, rejected, photos, logo }: UnsyncedNow): Waiting {
  return {
    changes: outbox.filter((entry) => entry.name !== 'photo.attach').length + (isWaiting(logo) ? 1 : 0),
    photos: photos.filter(isWaiting).length + attachesOf({ outbox, photos }).length,
    needPerson: rejected.length + [...photos, logo].filter(hasFailed).length,
  };
}

/** `2 changes`, `1 change and 2 photos`, or undefined where nothing waits. */
export function waitingWords({ changes, photos }: Waiting): string | undefined {
  const parts = [changes > 0 ? count(changes, 'change') : '', photos > 0 ? count(photos, 'photo') : ''].filter(Boolean);
  return parts.length === 0 ? undefined : parts.join(' and ');
}

/**
 * For the state bar, which is one line: the number that the navigation and the heading have, with its kind where there
 * is but one.
 */
export function shortWaitingWords(waiting: Waiting): string | undefined {
  const { changes, photos } = waiting;
  return changes > 0 && photos > 0 ? String(changes + photos) : waitingWords(waiting);
}
