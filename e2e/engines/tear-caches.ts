import { globSync } from 'node:fs';
import { truncate } from 'node:fs/promises';
import { join } from 'node:path';

/** The list of a site's caches in WebKitGTK, and the cached answers in Firefox, below the profile. */
const kept = ['cache/CacheStorage/*/cacheslist', 'storage/default/*/cache/morgue/**/*.final'];

/**
 * Cuts the files of a closed browser's Cache Storage short. WebKit writes its list anew whenever a cache is made or deleted, and where that
 * was cut off every read of any cache rejects from then on. @throws Error where there is none.
 */
export async function tearCaches(profile: string): Promise<void> {
  const files = kept.flatMap((pattern) => globSync(pattern, { cwd: profile }));
  if (files.length === 0) throw new Error('The browser has cached nothing on its disk.');
  await Promise.all(files.map((file) => truncate(join(profile, file), 10)));
}
