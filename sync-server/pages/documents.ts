import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  directoryParameters,
  documentsFile,
  type Documents,
  type InlinedDirectory,
  type InlinedTradie,
} from '../../shared/inlined.ts';

/** What stands in the root of a document that is drawn for its address. */
export interface Drawn {
  readonly content: string;
  /** What the app begins with, as JSON; '' where that is nothing. */
  readonly written: string;
}

/** What draws the documents of this build of the app; undefined where the build has nothing to draw. */
export async function loadDocuments(dist: string): Promise<Documents | undefined> {
  const file = join(dist, documentsFile);
  return existsSync(file) ? ((await import(pathToFileURL(file).href)) as Documents) : undefined;
}

export const drawTradie = ({ tradie }: Documents, inlined: InlinedTradie): Drawn => ({
  content: tradie(inlined),
  written: JSON.stringify(inlined),
});

/** An address that narrows or sorts the directory has what is found by the app alone. */
export function drawDirectory(
  { directory }: Documents,
  inlined: InlinedDirectory,
  query: Record<string, unknown>,
): Drawn {
  // The first order is that of the beginning.
  const isOther = (name: string) => {
    const value = query[name] ?? '';
    return value !== '' && !(name === 'sort' && value === 'a-z');
  };
  return directoryParameters.some(isOther)
    ? { content: directory(undefined), written: '' }
    : { content: directory(inlined), written: JSON.stringify(inlined) };
}
