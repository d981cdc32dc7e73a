import { globSync } from 'node:fs';
import { stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';

/** The list of a site's caches in WebKitGTK, below the profile. */
const list = 'cache/CacheStorage/*/cacheslist';
/** That, and the cached answers in Firefox. */
const kept = [list, 'storage/default/*/cache/morgue/**/*.final'];

/** When WebKit last wrote a list of caches, in ms of the epoch. @throws Error where there is none. */
export async function listWrittenAt(profile: string): Promise<number> {
  const [file] = globSync(list, { cwd: profile });
  if (file === undefined) throw new Error('The browser has no list of caches on its disk.');
  return (await stat(join(profile, file))).mtimeMs;
}

/**
 * Cuts the files of a closed browser's Cache Storage short. WebKit writes its list anew whenever a cache is made or
 * deleted, and where that was cut off every read of any cache rejects from then on. @throws Error where there is none.
 */
export async function tearCaches(profile: string): Promise<void> {
  const files = kept.flatMap((pattern) => globSync(pattern, { cwd: profile }));
  if (files.length === 0) throw new Error('The browser has cached nothing on its disk.');
  await Promise.all(files.map((file) => truncate(join(profile, file), 10)));
}
