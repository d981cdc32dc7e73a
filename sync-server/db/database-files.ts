import { statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Which files an embedded database lies in, by one that PostgreSQL never writes again. A copy that is put in their place has another;
 * undefined where there are none.
 */
export function filesOf(folder: string): string | undefined {
  const file = statSync(join(folder, 'PG_VERSION'), { bigint: true, throwIfNoEntry: false });
  return file && `files:${file.ino}:${file.mtimeNs}`;
}
