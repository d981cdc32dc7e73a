import type { KeptPhoto, PersonDb, RejectedEntry } from '../db/person-db.ts';
import { isQuotaExceeded } from '../db/storage-errors.ts';
import { correctedBy } from '../sync/corrected-now.ts';
import { keepUploaded } from '../photos/kept-photos.ts';
import { isAsked } from '../words/mutation-words.ts';

const message =
  'Dwang was put back to an earlier copy, and the account that this was made with is lost. Copy what you need, or do it again.';

/**
 * Lists what a person made here under ids that a restored server did not know any more as not accepted, once: nothing
 * that was made under one id is sent under another, and no screen opens the database of the other. It stays until
 * log-out.
 */
export async function takeFormer(
  db: PersonDb,
  formerIds: readonly string[],
  open: (userId: string) => PersonDb,
): Promise<void> {
  for (const id of formerIds) {
    if (takenOf(await db.meta.get('former')).includes(id)) continue;
    const former = open(id);
    try {
      await takeOne(db, { id, former });
    } finally {
      former.close();
    }
  }
}

const takenOf = (entry: { value: unknown } | undefined) => (entry?.value as string[] | undefined) ?? [];

async function takeOne(db: PersonDb, { id, former }: { id: string; former: PersonDb }): Promise<void> {
  const [journal, outbox, rejected, photos] = await former.transaction(
    'r',
    ['journal', 'outbox', 'refused', 'photos'],
    () =>
      Promise.all([
        former.journal.toArray(),
        former.outbox.toArray(),
        former.refused.toArray(),
        former.photos.toArray(),
      ]),
  );
  const made = new Map([...journal, ...outbox, ...rejected].map((entry) => [entry.uid, entry]));
  const refusedAt = correctedBy((await db.meta.get('serverTimeOffset'))?.value, Date.now());
  const lost = { status: 'refused' as const, code: 'account-lost', message, fields: null, refusedAt };
  const entries: RejectedEntry[] = [...made.values()]
    .filter(isAsked)
    .toSorted((one, other) => one.seq - other.seq)
    .map(({ seq, name, args, at, base = [] }) => ({ uid: crypto.randomUUID(), seq, name, args, at, base, ...lost }));
  const attached = new Set(
    entries.flatMap(({ name, args }) => (name === 'photo.attach' ? (args as { id: string }).id : [])),
  );
  await keepPictures(db, former, [...attached], photos);
  for (const { id: photo, jobId, path } of photos) {
    if (attached.has(photo)) continue;
    const args = { id: photo, jobId, url: path };
    entries.push({
      uid: crypto.randomUUID(),
      seq: entries.at(-1)?.seq ?? 0,
      name: 'photo.attach',
      args,
      at: refusedAt,
      ...lost,
    });
  }
  await db.transaction('rw', ['refused', 'meta'], async () => {
    const taken = takenOf(await db.meta.get('former'));
    if (taken.includes(id)) return;
    await db.refused.bulkPut(entries);
    await db.meta.put({ key: 'former', value: [...taken, id] });
  });
}

/**
 * What was never sent last: it is the last to leave. Where there is no room, the texts are listed without their
 * pictures.
 */
async function keepPictures(
  db: PersonDb,
  former: PersonDb,
  attached: readonly string[],
  unsent: readonly Omit<KeptPhoto, 'upTo'>[],
): Promise<void> {
  const keep = (photo: Omit<KeptPhoto, 'upTo'>) => db.transaction('rw', db.keptPhotos, () => keepUploaded(db, [photo]));
  try {
    // The pictures are read one at a time: together they may be 50 MB.
    for (const id of attached) {
      const kept = await former.keptPhotos.get(id);
      if (kept !== undefined) await keep(kept);
    }
    for (const photo of unsent) await keep(photo);
  } catch (error) {
    if (!isQuotaExceeded(error)) throw error;
  }
}
