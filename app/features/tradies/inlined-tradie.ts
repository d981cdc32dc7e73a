import type { ListedTradie } from './filter-tradies.ts';

/**
 * A business as the server wrote it into its page (`sync-server/pages/describe-page.ts`): its line in the directory,
 * and the words for its ids.
 */
export interface InlinedTradie {
  readonly listed: ListedTradie;
  readonly trades: readonly string[];
  readonly place: string;
}

/** Undefined on any other page than this business's own. */
export function inlinedTradie(id: string): InlinedTradie | undefined {
  const { written } = document.getElementById('root')?.dataset ?? {};
  if (written === undefined) return undefined;
  const tradie = JSON.parse(written) as InlinedTradie;
  return tradie.listed.id === id ? tradie : undefined;
}
