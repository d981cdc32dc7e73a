import type { ArgsOf, MutationName } from '../../shared/mutations/index.ts';
import { withConnection } from '../db/connection.ts';
import type { PersonDb, RejectedEntry } from '../db/person-db.ts';
import type { CompanionWrites } from '../sync/mutate.ts';
import { shownBy } from '../sync/journal.ts';
import { findLogo, type WaitingLogo } from './keep-logo.ts';
import { whereRoom, type KeepUploaded } from './kept-photos.ts';
import { logoRef } from './put-logo.ts';

/** A storage that loses what it has just taken does not get the bytes for ever. */
const maxLosses = 5;

export type EditProfile = (
  name: 'profile.edit',
  args: ArgsOf<'profile.edit'>,
  companions: CompanionWrites,
) => Promise<unknown>;

/**
 * Finishes a logo whose bytes are uploaded: once its edit was applied, they are kept for a restore alone (C16), or,
 * where there is no space, gone; gone too where it was given up, waiting again where storage has
 * lost the bytes (a backup from before the upload was restored). The rest of that edit does not wait for the picture.
 * Derived from the tables and not from events, so that a tab that dies half-way loses nothing. True where the edit was
 * rejected. Throws as `mutate`.
 */
export async function settleLogo(db: PersonDb, mutate: EditProfile): Promise<boolean> {
  const turnedDown = await whereRoom((keep) => settle(db, keep));
  if (turnedDown?.rejected.code === 'file-missing') await sendAgain(db, mutate, turnedDown);
  return turnedDown !== undefined;
}

/** Undefined where nothing else was edited. */
export function withoutLogo(args: unknown): ArgsOf<'profile.edit'> | undefined {
  const { id, set, base } = args as ArgsOf<'profile.edit'>;
  const [{ logo: _set, ...words }, { logo: _base, ...before }] = [set, base];
  return Object.keys(words).length > 0 ? { id, set: words, base: before } : undefined;
}

interface TurnedDown {
  key: string;
  logo: WaitingLogo;
  rejected: RejectedEntry;
}

function settle(db: PersonDb, keep: KeepUploaded): Promise<TurnedDown | undefined> {
  return withConnection(db, () =>
    db.transaction('rw', ['drafts', 'outbox', 'refused', 'journal', 'keptPhotos'], async () => {
      const found = await findLogo(db, 'uploaded');
      if (found === undefined) return undefined;
      const { key, logo } = found;
      const ref = logoRef(logo.path);
      const isItsEdit = (entry: { name: MutationName; args: unknown }) => shownBy(entry).includes(ref);
      if ((await db.outbox.filter(isItsEdit).count()) > 0) return undefined;
      const rejected = await db.refused.filter(isItsEdit).first();
      if (rejected !== undefined) return { key, logo, rejected };
      // What is safe already is in no journal.
      if ((await db.journal.filter(isItsEdit).count()) > 0) await keep(db, [{ id: ref, ...logo }]);
      await db.drafts.delete(key);
      return undefined;
    }),
  );
}

async function sendAgain(db: PersonDb, mutate: EditProfile, lost: TurnedDown): Promise<void> {
  const { key, logo, rejected } = lost;
  const losses = (logo.losses ?? 0) + 1;
  const again: WaitingLogo =
    losses < maxLosses
      ? { ...logo, state: 'waiting', losses }
      : { ...logo, state: 'failed', losses, error: rejected.message };
  const words = withoutLogo(rejected.args);
  if (words !== undefined) {
    await mutate('profile.edit', words, { dropRejected: rejected.uid, changeDraft: { key, value: again } });
    return;
  }
  await withConnection(db, () =>
    db.transaction('rw', ['drafts', 'refused'], async () => {
      await db.refused.delete(rejected.uid);
      await db.drafts.update(key, { value: again });
    }),
  );
}
