import type { InlinedDirectory } from '../../shared/inlined.ts';
import { compareNames } from '../../shared/lib/compare-names.ts';
import { minute } from '../../shared/lib/durations.ts';
import { readRows } from '../api/read-rows.ts';
import type { Sql } from '../db/database.ts';
import { keepFor } from '../lib/keep-for.ts';
import type { Deps } from '../ports/deps.ts';
import { namedIds, readReferenceNames, wordsOf } from './reference-names.ts';

/** How long it is kept: every visitor asks for the page, and all names are read and sorted for it. */
const keptMs = minute;

/** Some three screens of a phone; by their end the app has the rest. */
const maxListed = 24;

/**
 * The first businesses of the directory, A to Z as the app sorts them, with what the directory shows every visitor.
 * Read at most once a minute.
 */
export const createDirectoryBeginning = ({ database, clock }: Pick<Deps, 'database' | 'clock'>) =>
  keepFor(keptMs, clock, () => readBeginning(database.sql));

async function readBeginning(sql: Sql): Promise<InlinedDirectory> {
  const names = await sql.selectFrom('tradies').select(['id', 'business_name as name']).execute();
  const first = names
    .toSorted((one, other) => compareNames(one.name, other.name) || (one.id < other.id ? -1 : 1))
    .slice(0, maxListed)
    .map(({ id }) => id);
  const rows = await readRows(sql, 'tradies', { where: (t) => t('id', '=', t.fn.any(t.val(first))) });
  const known = await readReferenceNames(sql, rows.flatMap(namedIds));
  const cards = new Map(
    rows.map((row) => {
      const { id, businessName, logo, isVerified } = row;
      return [id, { id, businessName, logo, isVerified, ...wordsOf(row, known) }];
    }),
  );
  return { total: names.length, cards: first.flatMap((id) => cards.get(id) ?? []) };
}
