import type { ArgsOf } from '../../shared/mutations/index.ts';
import { withConnection } from '../db/connection.ts';
import type { PersonDb, RejectedEntry } from '../db/person-db.ts';
import type { CompanionWrites } from '../sync/mutate.ts';
import { findLogo, type WaitingLogo } from './keep-logo.ts';
import { logoRef } from './put-logo.ts';

type EditProfile = (
  name: 'profile.edit',
  args: ArgsOf<'profile.edit'>,
  companions: CompanionWrites,
) => Promise<unknown>;

/** A storage that loses what it has just taken does not get the bytes for ever. */
const maxLosses = 5;

/**
 * Finishes a logo whose bytes are uploaded: gone from the device once its edit was applied or given up, waiting again where storage has
 * lost the bytes (a backup from before the upload was restored). The rest of that edit does not wait for the picture. Derived from
 * the tables and not from events, so that a tab that dies half-way loses nothing. True where the edit was rejected. Throws as `mutate`.
 */
export async function settleLogo(db: PersonDb, mutate: EditProfile): Promise<boolean> {
  const turnedDown = await withConnection(db, () =>
    db.transaction('rw', ['drafts', 'outbox', 'refused'], async () => {
      const found = await findLogo(db, 'uploaded');
      if (found === undefined) return undefined;
      const { key, logo } = found;
      const isItsEdit = ({ name, args }: { name: string; args: unknown }) =>
        name === 'profile.edit' && (args as Partial<ArgsOf<'profile.edit'>>).set?.logo === logoRef(logo.path);
      if ((await db.outbox.filter(isItsEdit).count()) > 0) return undefined;
      const rejected = await db.refused.filter(isItsEdit).first();
      if (rejected === undefined) await db.drafts.delete(key);
      return rejected === undefined ? undefined : { key, logo, rejected };
    }),
  );
  if (turnedDown?.rejected.code === 'file-missing') await sendAgain(db, mutate, turnedDown);
  return turnedDown !== undefined;
}

async function sendAgain(
  db: PersonDb,
  mutate: EditProfile,
  lost: { key: string; logo: WaitingLogo; rejected: RejectedEntry },
): Promise<void> {
  const { key, logo, rejected } = lost;
  const losses = (logo.losses ?? 0) + 1;
  const again: WaitingLogo =
    losses < maxLosses
      ? { ...logo, state: 'waiting', losses }
      : { ...logo, state: 'failed', losses, error: rejected.message };
  const { id, set, base } = rejected.args as ArgsOf<'profile.edit'>;
  const [{ logo: _set, ...words }, { logo: _base, ...wordsBefore }] = [set, base];
  if (Object.keys(words).length > 0) {
    await mutate(
      'profile.edit',
      { id, set: words, base: wordsBefore },
      { dropRejected: rejected.uid, changeDraft: { key, value: again } },
    );
    return;
  }
  await withConnection(db, () =>
    db.transaction('rw', ['drafts', 'refused'], async () => {
      await db.refused.delete(rejected.uid);
      await db.drafts.update(key, { value: again });
    }),
  );
}
