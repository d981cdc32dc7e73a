import { withConnection } from '../db/connection.ts';
import type { Draft, PersonDb } from '../db/person-db.ts';
import { orFull } from '../db/storage-errors.ts';

/**
 * A new logo that waits for its upload. One at a time, in the `drafts` store under a key of its own: a step for one
 * never hits the next.
 */
export interface WaitingLogo {
  tradieId: string;
  /** The logo of the profile when this one was chosen. */
  base: string;
  /** Fixed when it was chosen, so that a repeated upload is the same upload. */
  path: string;
  bytes: ArrayBuffer;
  type: string;
  /** `uploaded`: its edit is in the outbox, or was rejected; the bytes stay until the server has applied it. */
  state: 'waiting' | 'failed' | 'uploaded';
  /** Why it was rejected. */
  error: string | null;
  /** How often storage had lost it after its upload. */
  losses?: number;
}

const keysBegin = 'logo-to-send';

export interface KeptLogo {
  /** Its draft's key. */
  readonly key: string;
  readonly logo: WaitingLogo;
  /** What was here until this one was chosen. */
  readonly replaced: readonly Draft[];
}

export const logoDrafts = (db: PersonDb) => db.drafts.where('key').startsWith(keysBegin);

/** Keeps the logo for the upload queue, in place of one that was here before. Throws `StorageFull`. */
export async function keepLogo(
  db: PersonDb,
  chosen: Omit<WaitingLogo, 'state' | 'error'>,
  now: string,
): Promise<KeptLogo> {
  try {
    return await withConnection(db, () =>
      db.transaction('rw', 'drafts', async () => {
        const replaced = await logoDrafts(db).toArray();
        await logoDrafts(db).delete();
        return { ...(await addLogoDraft(db, chosen, now)), replaced };
      }),
    );
  } catch (error) {
    throw orFull(error);
  }
}

/** Inside a transaction over `drafts`, where there is none. */
export async function addLogoDraft(
  db: PersonDb,
  chosen: Omit<WaitingLogo, 'state' | 'error'>,
  now: string,
): Promise<Omit<KeptLogo, 'replaced'>> {
  const key = `${keysBegin}/${chosen.path}`;
  const logo: WaitingLogo = { ...chosen, state: 'waiting', error: null };
  await db.drafts.put({ key, value: logo, savedAt: now });
  return { key, logo };
}

/**
 * Storage rejected this one: the one it replaced waits again, unless this one was sent, cancelled or replaced
 * meanwhile.
 */
export async function undoKeepLogo(db: PersonDb, { key, replaced }: KeptLogo): Promise<void> {
  await withConnection(db, () =>
    db.transaction('rw', 'drafts', async () => {
      if ((await db.drafts.where('key').equals(key).delete()) > 0) await db.drafts.bulkPut([...replaced]);
    }),
  );
}

export async function findWaitingLogo(db: PersonDb): Promise<WaitingLogo | undefined> {
  return (await findLogo(db, 'to-send'))?.logo;
}

/** `to-send`: its bytes are not uploaded, or were lost by storage. */
export async function findLogo(
  db: PersonDb,
  which: 'to-send' | 'uploaded',
): Promise<{ key: string; logo: WaitingLogo } | undefined> {
  const isUp = (draft: Draft) => (draft.value as WaitingLogo).state === 'uploaded';
  const draft = await withConnection(db, () =>
    logoDrafts(db)
      .and((one) => isUp(one) === (which === 'uploaded'))
      .first(),
  );
  return draft === undefined ? undefined : { key: draft.key, logo: draft.value as WaitingLogo };
}

/** The person's tap on one that failed: starts it over. */
export async function retryLogo(db: PersonDb): Promise<void> {
  await withConnection(db, () =>
    db.transaction('rw', 'drafts', async () => {
      const found = await findLogo(db, 'to-send');
      if (found !== undefined)
        await db.drafts.update(found.key, {
          value: { ...found.logo, state: 'waiting', error: null, losses: 0 } satisfies WaitingLogo,
        });
    }),
  );
}

/** The person discards the one that waits. */
export async function dropLogo(db: PersonDb): Promise<void> {
  await withConnection(db, () => logoDrafts(db).delete());
}
