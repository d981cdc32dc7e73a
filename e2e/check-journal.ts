import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import type { signedIn } from './account.ts';
import { photoBytes, type Chain, type JournalEntry } from './page-writer.ts';

type Api = Awaited<ReturnType<typeof signedIn>>;

export interface Verdict {
  /** Shown as saved, and the server does not have it. */
  lost: string[];
  /** Shown as "the server has it", and it does not. */
  early: string[];
  /** There more than once. */
  doubled: string[];
  /** The journal has no such write. */
  strange: string[];
}

export const nothingWrong: Verdict = { lost: [], early: [], doubled: [], strange: [] };

/**
 * Compares the journal with the server's own rows of these jobs. `early` counts at any time; `lost` only once nothing
 * is pending, so it is called then.
 */
export async function checkJournal(
  api: Pick<Api, 'get'>,
  chains: readonly Chain[],
  told: readonly JournalEntry[],
  isQuiet: boolean,
): Promise<Verdict> {
  // Read first: what is shown after the rows were read is not checked yet.
  const words = [...told];
  const rows = await api.get<{ id: string; title: string; status: string }[]>('/api/jobs?type=my-jobs');
  const verdict: Verdict = { lost: [], early: [], doubled: [], strange: [] };
  for (const chain of chains) {
    const [row, ...more] = rows.filter(({ id }) => id === chain.id);
    if (more.length > 0) verdict.doubled.push(chain.id);
    const stands = row === undefined ? -1 : lastStep(chain, row);
    if (Number.isNaN(stands)) verdict.strange.push(`${chain.id} ${row?.title}`);
    const reached = (word: JournalEntry['word']) =>
      Math.max(-1, ...words.filter((line) => line.id === chain.id && line.word === word).map(({ step }) => step));
    if (reached('applied') > stands) verdict.early.push(chain.id);
    if (isQuiet && reached('saved') > stands) verdict.lost.push(chain.id);
  }
  const own = new Set(chains.map(({ id }) => id));
  const prefixes = chains.map(({ titles }) => titles[0]);
  verdict.strange.push(...rows.filter(({ id, title }) => !own.has(id) && prefixes.includes(title)).map(({ id }) => id));
  return verdict;
}

/** Photos whose job was shown as saved, and which are not on it, once and byte for byte. */
export async function checkPhotos(
  api: Pick<Api, 'get'>,
  chains: readonly Chain[],
  told: readonly JournalEntry[],
): Promise<string[]> {
  const rows = await api.get<{ id: string; images: string[] }[]>('/api/jobs?type=my-jobs');
  const wrong = await Promise.all(
    withPhoto(chains, told).map(async ({ id, path }) => {
      const [image, ...more] = rows.find((row) => row.id === id)?.images ?? [];
      if (image === undefined || more.length > 0 || !image.endsWith(path)) return `${path}: ${image} ${more.join(' ')}`;
      const bytes = Buffer.from(await (await fetch(image)).arrayBuffer());
      return bytes.equals(photoBytes) ? [] : `${path}: ${bytes.length} bytes, or other ones`;
    }),
  );
  return wrong.flat();
}

/** The photos whose job was shown as saved. */
export const withPhoto = (chains: readonly Chain[], told: readonly JournalEntry[]) =>
  chains.flatMap(({ id, steps }) =>
    steps.flatMap(({ photo }, step) =>
      photo !== undefined && told.some((line) => line.id === id && line.step === step && line.word === 'saved')
        ? [{ id, path: photo.path }]
        : [],
    ),
  );

/** The last step whose effect stands in the row; NaN where no step leaves it so. */
function lastStep({ steps, titles }: Chain, row: { title: string; status: string }): number {
  if (row.status === 'closed')
    return steps.at(-1)?.name === 'job.close' && titles.at(-1) === row.title ? steps.length - 1 : Number.NaN;
  const open = steps.flatMap(({ name }, at) => (name !== 'job.close' && titles[at] === row.title ? [at] : []));
  return open.at(-1) ?? Number.NaN;
}

/**
 * The server's own outcomes (`sync_mutation`), read from the disk of a server that is stopped: how the writes
 * shown as saved ended, and what was sent more than once under different uids.
 */
export async function readBook(
  dataDir: string,
  userId: string,
): Promise<{ status: Map<string, string>; asked: number; repeated: number }> {
  const database = await PGlite.create({ dataDir: join(dataDir, 'database') });
  try {
    const { rows } = await database.query<{ uid: string; status: string; what: string }>(
      `select uid::text, status, name || ' ' || args_hash as what from sync_mutation where user_id = $1`,
      [userId],
    );
    return {
      status: new Map(rows.map(({ uid, status }) => [uid, status])),
      asked: rows.length,
      repeated: rows.length - new Set(rows.map(({ what }) => what)).size,
    };
  } finally {
    await database.close();
  }
}
