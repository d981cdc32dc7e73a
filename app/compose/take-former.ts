import type { MutationName } from '../../shared/mutations/index.ts';
import type { PersonDb, RejectedEntry } from '../db/person-db.ts';

/** What the app notes by itself: its person has nothing to do again. */
const isUnasked: ReadonlySet<string> = new Set(['interest.see', 'search.look'] satisfies MutationName[]);

const message =
  'Dwang was put back to an earlier copy, and the account that this was made with is lost. Copy what you need, or do it again.';

/**
 * Lists what a person made here under ids that a restored server did not know any more as not accepted, once: nothing that was made under
 * one id is sent under another, and no screen opens the database of the other. It stays until log-out.
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
  const refusedAt = new Date().toISOString();
  const lost = { status: 'refused' as const, code: 'account-lost', message, fields: null, refusedAt };
  const entries: RejectedEntry[] = [...made.values()]
    .filter(({ name }) => !isUnasked.has(name))
    .toSorted((one, other) => one.seq - other.seq)
    .map(({ seq, name, args, at, base = [] }) => ({ uid: crypto.randomUUID(), seq, name, args, at, base, ...lost }));
  const attached = new Set(
    entries.flatMap(({ name, args }) => (name === 'photo.attach' ? (args as { id: string }).id : [])),
  );
  for (const photo of attached) {
    // One at a time: together they may be 50 MB.
    const kept = await former.keptPhotos.get(photo);
    if (kept !== undefined) await db.keptPhotos.put(kept);
  }
  for (const { id: photo, jobId, path, bytes, type } of photos) {
    await db.keptPhotos.put({ id: photo, path, bytes, type, upTo: 0 });
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
