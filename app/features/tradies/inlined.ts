import type { InlinedDirectory, InlinedTradie } from '../../../shared/inlined.ts';

/** What the server wrote into the document of this page, where it did (`sync-server/pages/static-files.ts`). */
const read = (): unknown => {
  const { written } = document.getElementById('root')?.dataset ?? {};
  return written === undefined || written === '' ? undefined : JSON.parse(written);
};

/** Undefined on any other page than this business's own. */
export function inlinedTradie(id: string): InlinedTradie | undefined {
  const inlined = read() as Partial<InlinedTradie> | undefined;
  return inlined?.listed?.id === id ? (inlined as InlinedTradie) : undefined;
}

/** Undefined on any other page than the directory. */
export function inlinedDirectory(): InlinedDirectory | undefined {
  const inlined = read() as Partial<InlinedDirectory> | undefined;
  return inlined?.cards === undefined ? undefined : (inlined as InlinedDirectory);
}
