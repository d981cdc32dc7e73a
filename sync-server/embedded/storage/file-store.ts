import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { ReadStream } from 'node:fs';
import { access, mkdir, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { tooLarge } from './storage-problem.ts';

/** Bytes that are on disk, without a row yet. */
export interface Draft {
  version: string;
  size: number;
  md5: string;
  /** All of them; only before `keep`. */
  bytes(): Promise<Uint8Array>;
  /** Only so many of them, from the first on; only before `keep`. This draft is no more then. */
  cut(size: number): Promise<Draft>;
  /** Puts the bytes in their place. After this they survive a power cut. */
  keep(): Promise<void>;
  drop(): Promise<void>;
}

export interface FileStore {
  /** @throws StorageProblem `EntityTooLarge` past `limit` bytes; nothing is left behind. */
  receive(bytes: AsyncIterable<Uint8Array>, limit: number): Promise<Draft>;
  /** Rejects with ENOENT where the version was removed meanwhile. `start` and `end` are inclusive. */
  read(version: string, range?: { start: number; end: number }): Promise<ReadStream>;
  /** False where a restore brought back the row of a file and not the file. */
  has(version: string): Promise<boolean>;
  remove(version: string): Promise<void>;
  /** Writes a few bytes and removes them; rejects where that fails. */
  tryOut(): Promise<void>;
}

export const isGone = (error: unknown): boolean =>
  error instanceof Error && (error as NodeJS.ErrnoException).code === 'ENOENT';

/** The folder of the embedded storage. */
export const storageFolder = (dataDir: string): string => join(dataDir, 'storage');
/** The files in it that have a row, and nothing else. */
export const objectsFolder = (dataDir: string): string => join(storageFolder(dataDir), 'objects');

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * Files named by a version id of our own making: no name from a client ever reaches the file system. Written to
 * `drafts`, synced, then renamed to `objects/<two digits>/<version>`.
 */
export async function createFileStore(folder: string): Promise<FileStore> {
  const drafts = join(folder, 'drafts');
  const collection = (version: string) => join(folder, 'objects', version.slice(0, 2));
  const place = (version: string) => join(collection(version), version);
  await mkdir(drafts, { recursive: true, mode: 0o700 });
  // What is in this folder was being received when the last process ended.
  for (const name of await readdir(drafts)) await rm(join(drafts, name), { force: true });

  async function receive(bytes: AsyncIterable<Uint8Array>, limit: number): Promise<Draft> {
    const version = randomUUID();
    const draft = join(drafts, version);
    const hash = createHash('md5');
    let size = 0;
    const handle = await open(draft, 'wx');
    try {
      for await (const chunk of bytes) {
        if (size + chunk.length > limit) throw tooLarge();
        size += chunk.length;
        hash.update(chunk);
        await handle.writeFile(chunk);
      }
      await handle.sync();
    } catch (cause) {
      await handle.close();
      await rm(draft, { force: true });
      throw cause;
    }
    await handle.close();
    return draftOf(version, size, hash.digest('hex'));
  }

  function draftOf(version: string, size: number, md5: string): Draft {
    const draft = join(drafts, version);
    return {
      version,
      size,
      md5,
      bytes: () => readFile(draft),
      async cut(to) {
        const kept = await open(draft, 'r+');
        try {
          await kept.truncate(to);
          await kept.sync();
        } finally {
          await kept.close();
        }
        return draftOf(
          version,
          to,
          createHash('md5')
            .update(await readFile(draft))
            .digest('hex'),
        );
      },
      async keep() {
        const isNew = (await mkdir(collection(version), { recursive: true })) !== undefined;
        await rename(draft, place(version));
        await syncFolder(collection(version));
        // A folder has its own name in the list of what it contains.
        if (isNew) for (const above of [join(folder, 'objects'), folder]) await syncFolder(above);
      },
      drop: () => rm(draft, { force: true }),
    };
  }

  return {
    receive,
    read(version, range) {
      const stream = createReadStream(place(version), range);
      return new Promise((resolve, reject) => {
        stream.once('open', () => resolve(stream));
        stream.once('error', reject);
      });
    },
    async has(version) {
      try {
        await access(place(version));
        return true;
      } catch (error) {
        if (isGone(error)) return false;
        throw error;
      }
    },
    remove: (version) => rm(place(version), { force: true }),
    async tryOut() {
      const draft = join(drafts, randomUUID());
      await writeFile(draft, 'dwang', { flag: 'wx' });
      await rm(draft, { force: true });
    },
  };
}
