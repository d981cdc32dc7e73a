import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { documentsFile, type Documents } from '../../shared/inlined.ts';

/** What draws the documents of this build of the app; undefined where the build has nothing to draw. */
export async function loadDocuments(dist: string): Promise<Documents | undefined> {
  const file = join(dist, documentsFile);
  return existsSync(file) ? ((await import(pathToFileURL(file).href)) as Documents) : undefined;
}
