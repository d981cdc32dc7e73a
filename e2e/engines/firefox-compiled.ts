import { cp, mkdtemp, rename, rm, stat } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/*
 * Firefox compiles the scripts of its own windows at the first start of a profile, which takes a quarter of that start.
 * The first phone of all leaves them to those after it. Nothing of a site is among them.
 */

const cache = join(import.meta.dirname, '../../node_modules/.cache/dwang');
const compiled = 'startupCache';
/** Of which build and folders they are: another Firefox throws them away. */
const parts = [compiled, 'compatibility.ini'];

/** Where they are kept, for each build of Firefox. */
const keptFor = async (binary: string): Promise<string> =>
  join(cache, `firefox-${Math.round((await stat(binary)).mtimeMs)}`);

const copy = async (from: string, to: string): Promise<void> => {
  for (const part of parts) await cp(join(from, part), join(to, part), { recursive: true });
};

/** Before the first start on a profile. */
export async function giveCompiled(binary: string, profile: string): Promise<void> {
  const kept = await keptFor(binary);
  if (existsSync(kept) && !existsSync(join(profile, compiled))) await copy(kept, profile);
}

/** After a Firefox has ended: it writes them some seconds after its start. */
export async function keepCompiled(binary: string, profile: string): Promise<void> {
  const kept = await keptFor(binary);
  if (existsSync(kept) || !existsSync(join(profile, compiled, 'scriptCache.bin'))) return;
  const unfinished = await mkdtemp(`${kept}-`);
  await copy(profile, unfinished);
  try {
    await rename(unfinished, kept);
  } catch (error) {
    await rm(unfinished, { recursive: true });
    // Where another test was sooner, its copy stays.
    if (!existsSync(kept)) throw error;
  }
}
