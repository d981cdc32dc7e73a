import { currentValues, same } from '../../shared/mutations/edit.ts';
import type { ArgsOf } from '../../shared/mutations/index.ts';
import { Rejection } from '../../shared/mutations/rejection.ts';
import { withConnection } from '../db/connection.ts';
import type { OutboxEntry, PersonDb, RejectedEntry } from '../db/person-db.ts';
import { writeSetStores } from '../sync/dexie-tx.ts';
import { replayOutbox, type ReplayPorts } from '../sync/replay.ts';
import { readServerRows } from '../sync/server-rows.ts';
import { addLogoDraft, logoDrafts, type WaitingLogo } from './keep-logo.ts';
import { logoRef } from './put-logo.ts';
import { withoutLogo, type EditProfile } from './settle-logo.ts';

type Edit = ArgsOf<'profile.edit'>;
type Entry = Pick<OutboxEntry, 'name' | 'args' | 'at'>;

const editOf = ({ name, args }: Entry): Edit | undefined => (name === 'profile.edit' ? (args as Edit) : undefined);
const refOf = (entry: Entry): string => editOf(entry)?.set.logo ?? '';
const isFileMissing = (entry: RejectedEntry) => refOf(entry) !== '' && entry.code === 'file-missing';

const logoAlone = (entry: Entry): Edit => {
  const { id, set, base } = editOf(entry)!;
  return { id, set: { logo: set.logo }, base: { logo: base['logo'] } };
};

async function draftOf(db: PersonDb, ref: string): Promise<WaitingLogo | undefined> {
  const drafts = (await logoDrafts(db).toArray()).map(({ value }) => value as WaitingLogo);
  return drafts.find(({ path }) => logoRef(path) === ref);
}

/**
 * Since a restore an edit waits for its logo (C16), whose bytes have left this phone, which made it: no phone brings it
 * back. It is decided now (`fileGone`); what was saved with it takes its place in the outbox, and what was built on it
 * is built on what was there before it.
 *
 * @returns whether there is something new to send.
 */
export function giveUpLostLogos(ports: ReplayPorts): Promise<boolean> {
  const { db } = ports;
  return withConnection(db, () =>
    db.transaction('rw', [...writeSetStores, 'outbox', 'refused', 'drafts', 'keptPhotos', 'meta'], async () => {
      const entries = await db.outbox
        .orderBy('seq')
        .filter((entry) => editOf(entry) !== undefined)
        .toArray();
      let hasChanged = false;
      for (const rejected of (await db.refused.toArray()).filter(isFileMissing))
        if ((await draftOf(db, refOf(rejected))) === undefined)
          hasChanged = (await buildOnBase(db, rejected, entries)) || hasChanged;
      for (const entry of entries) {
        const { from, restoring } = entry;
        if (from === undefined || refOf(entry) === '') continue;
        const isLost = restoring === 'file-missing' && from.fileGone !== true && !(await isHere(db, refOf(entry)));
        if (isLost) await giveUp(db, { ...entry, from: { ...from, fileGone: true } });
        const isGone = isLost || from.fileGone === true;
        hasChanged = (isGone && (await buildOnBase(db, entry, entries))) || isLost || hasChanged;
      }
      if (hasChanged) await replayOutbox(ports, await readServerRows(db));
      return hasChanged;
    }),
  );
}

const isHere = async (db: PersonDb, ref: string): Promise<boolean> =>
  (await db.keptPhotos.get(ref)) !== undefined || (await draftOf(db, ref)) !== undefined;

async function giveUp(db: PersonDb, gone: OutboxEntry): Promise<void> {
  const words = withoutLogo(gone.args);
  if (words === undefined) return void (await db.outbox.put(gone));
  const { fileGone: _fileGone, ...from } = gone.from!;
  await db.outbox.put({ ...gone, uid: crypto.randomUUID(), args: words, from, restoring: undefined, attempts: 0 });
  const { seq: _seq, ...last } = gone;
  await db.outbox.add({ ...last, args: logoAlone(gone), from: { ...gone.from, rebuilt: true } } as OutboxEntry);
}

/**
 * What was built on a logo that is lost is built on what was there before it. `entries`: of the outbox, changed too.
 */
async function buildOnBase(
  db: PersonDb,
  lost: Entry & Pick<OutboxEntry, 'from'>,
  entries: OutboxEntry[],
): Promise<boolean> {
  const logo = editOf(lost)!.base['logo'];
  const isOnIt = ({ base }: { base: unknown }) => base === refOf(lost);
  const built = entries.filter((entry) => isOnIt({ base: editOf(entry)?.base['logo'] }));
  for (const entry of built) {
    const args = entry.args as Edit;
    entry.args = { ...args, base: { ...args.base, logo } };
    // Its answer may have been lost: the one that is stored counts then.
    const { timeline } = entry.from ?? lost.from ?? {};
    if (timeline !== undefined) entry.from = { ...entry.from, timeline, rebuilt: true };
    await db.outbox.put(entry);
  }
  await logoDrafts(db)
    .filter(({ value }) => isOnIt(value as WaitingLogo))
    .modify((draft) => {
      draft.value = { ...(draft.value as WaitingLogo), base: String(logo ?? '') };
    });
  return built.length > 0;
}

/**
 * What becomes of edits that were not accepted because storage has lost their logo. Where its bytes are on this phone
 * it is a new logo once more; where a later one was chosen, it is not missed. What was saved with it, and what was
 * built on it, is sent again. What stays says that the logo has to be chosen again.
 */
export async function settleLostLogos(db: PersonDb, mutate: EditProfile): Promise<void> {
  const read = async () => (await db.refused.toArray()).toSorted((one, other) => (one.at < other.at ? -1 : 1));
  const refused = await withConnection(db, read);
  for (const lost of refused.filter(isFileMissing)) {
    if ((await withConnection(db, () => draftOf(db, refOf(lost)))) !== undefined) continue;
    const followers = refused.filter((other) => isBuiltOn(other, lost));
    const isOver = await withConnection(db, () => hasLater(db, lost));
    if (!(await sendWords(db, mutate, lost))) continue;
    await withConnection(db, () => settleLogoOf(db, lost, isOver));
    for (const follower of followers) await sendBuiltOn(mutate, follower, lost);
  }
}

/** The server says that it was changed elsewhere; what it was built on is the edit whose logo is lost. */
function isBuiltOn(other: RejectedEntry, lost: RejectedEntry): boolean {
  const [one, before] = [editOf(other), editOf(lost)!];
  const stale = Object.keys(currentValues(other)) as (keyof Edit['set'])[];
  if (one?.id !== before.id || other.at < lost.at || stale.length === 0) return false;
  return stale.every((field) => same(one.base[field], before.set[field]));
}

/** Was another logo chosen, or this one removed, since? */
async function hasLater(db: PersonDb, lost: RejectedEntry): Promise<boolean> {
  const isLater = (entry: Entry) => entry.at > lost.at && editOf(entry)?.set.logo !== undefined;
  const counts = [db.outbox, db.refused, db.journal].map((table) => table.filter(isLater).count());
  return (await Promise.all(counts)).some((count) => count > 0) || (await logoDrafts(db).count()) > 0;
}

/** False where the answer is no already on this phone: changed again since, so the person chooses. */
async function sendWords(db: PersonDb, mutate: EditProfile, lost: RejectedEntry): Promise<boolean> {
  const words = withoutLogo(lost.args);
  if (words === undefined) return true;
  try {
    await mutate('profile.edit', words, {});
    return true;
  } catch (error) {
    if (!(error instanceof Rejection)) throw error;
    const { code, message, fields = null } = error;
    await withConnection(db, () => db.refused.update(lost.uid, { args: words, code, message, fields }));
    return false;
  }
}

function settleLogoOf(db: PersonDb, lost: RejectedEntry, isOver: boolean): Promise<void> {
  return db.transaction('rw', ['refused', 'drafts', 'keptPhotos'], async () => {
    const { id, base } = editOf(lost)!;
    const ref = refOf(lost);
    const kept = isOver ? undefined : await db.keptPhotos.get(ref);
    if (kept !== undefined) {
      const { path, bytes, type } = kept;
      await addLogoDraft(db, { tradieId: id, base: String(base['logo'] ?? ''), path, bytes, type }, lost.at);
    }
    await db.keptPhotos.delete(ref);
    if (isOver || kept !== undefined) await db.refused.delete(lost.uid);
    else await db.refused.update(lost.uid, { args: logoAlone(lost) });
  });
}

async function sendBuiltOn(mutate: EditProfile, { uid, args }: RejectedEntry, lost: RejectedEntry): Promise<void> {
  const { id, set, base } = args as Edit;
  const isOnLogo = 'logo' in base;
  const now = isOnLogo ? { ...base, logo: editOf(lost)!.base['logo'] } : base;
  try {
    await mutate('profile.edit', { id, set, base: now }, { dropRejected: uid });
  } catch (error) {
    // It is changed elsewhere indeed: it stays, and the person chooses.
    if (!(error instanceof Rejection)) throw error;
  }
}
