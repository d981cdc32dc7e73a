import { randomBytes } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';

const keySchema = z.object({ url: z.url(), token: z.string() });

/** How the commands reach the server that has the embedded database open: only one process can. */
export type OperatorKey = z.output<typeof keySchema>;

const place = (dataDir: string) => join(dataDir, 'operator-key.json');

export const createOperatorToken = () => randomBytes(32).toString('base64url');

/** Stores the key beside the data, readable by its owner only: a reader of the data directory has everything anyway. */
export async function leaveOperatorKey(dataDir: string, key: OperatorKey): Promise<() => Promise<void>> {
  await rm(place(dataDir), { force: true });
  await writeFile(place(dataDir), JSON.stringify(key), { mode: 0o600, flag: 'wx' });
  return () => rm(place(dataDir), { force: true });
}

/** Undefined where no server has left one. */
export async function findOperatorKey(dataDir: string): Promise<OperatorKey | undefined> {
  const text = await readFile(place(dataDir), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  return text === undefined ? undefined : keySchema.parse(JSON.parse(text));
}
