import { minute } from '../../shared/lib/durations.ts';
import { fixedPages } from '../../shared/fixed-pages.ts';
import { keepFor } from '../lib/keep-for.ts';
import type { Deps } from '../ports/deps.ts';

/** A page that search engines may list. */
export interface PublicPage {
  readonly path: string;
  /** When what it shows last changed; undefined where that is not recorded. */
  readonly changedAt?: Date | undefined;
}

/** How long a new business may wait until it is listed; search engines ask far less often. */
const keptMs = 10 * minute;

/**
 * Every page for search engines, the oldest business first so that each keeps its place. Read at most once in ten
 * minutes.
 */
export const createPublicPages = ({ database, clock }: Pick<Deps, 'database' | 'clock'>) =>
  keepFor(keptMs, clock, () => readPublicPages(database));

/**
 * A profile's own instant is that of the commit that last changed its public columns (`shelf_version`). Where a later
 * one, of a contact say, has written over it, the next commit that is still known is used instead: later than the
 * truth, never earlier, and nothing of what is private.
 */
async function readPublicPages({ sql }: Deps['database']): Promise<readonly PublicPage[]> {
  const rows = await sql
    .selectFrom('tradies as t')
    .leftJoin('sync_change as c', (join) =>
      join.on('c.entity', '=', 'tradies').on((eb) => eb('c.entity_id', '=', eb.cast<string>('t.id', 'text'))),
    )
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('sync_change as later')
          .select('later.changed_at')
          .whereRef('later.version', '>=', 'c.shelf_version')
          .orderBy('later.version')
          .limit(1)
          .as('shown'),
      (join) => join.onTrue(),
    )
    .select(['t.id', 'shown.changed_at as changedAt'])
    .orderBy('t.created_at')
    .orderBy('t.id')
    .execute();
  return [
    ...Object.keys(fixedPages).map((path) => ({ path })),
    ...rows.map(({ id, changedAt }) => ({ path: `/tradie/${id}`, changedAt: changedAt ?? undefined })),
  ];
}
