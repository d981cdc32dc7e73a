import { matchesSearch } from '../../shared/lib/matches-search.ts';
import type { Sql } from '../db/database.ts';
import { readTowns } from '../db/read-towns.ts';

interface JobToMatch {
  id: string;
  user_id: string;
  category_id: string;
  location_id: string | null;
  budget_max: string | null;
  urgency: 'slow' | 'soon' | 'urgent';
  title: string;
  description: string;
}

/**
 * Ids of the people with a running subscription of whose saved searches at least one finds this job; its owner is not
 * among them.
 *
 * The database narrows by what costs nothing to compare, in one pass over the searches; distance, and words without
 * macrons, are left to the code that the device uses for the same question.
 */
export async function matchJob(sql: Sql, job: JobToMatch, now: Date): Promise<string[]> {
  const places = await readTowns(sql);
  const region = places.get(job.location_id ?? '')?.region ?? null;
  const found = await sql
    .selectFrom('searches as s')
    .innerJoin('users as u', 'u.id', 's.user_id')
    .select([
      's.user_id as userId',
      's.category_ids as categoryIds',
      's.region',
      's.location_id as locationId',
      's.within_km as withinKm',
      's.max_budget as maxBudget',
      's.urgencies',
      's.words',
    ])
    .where('s.removed_at', 'is', null)
    .where('s.user_id', '<>', job.user_id)
    .where('u.tradie_id', 'is not', null)
    .where('u.subscription_status', 'in', ['active', 'trialing'])
    .where((eb) => eb.or([eb('u.subscription_valid_until', 'is', null), eb('u.subscription_valid_until', '>', now)]))
    .where((eb) =>
      eb.or([eb('s.category_ids', '=', eb.val([])), eb(eb.val(job.category_id), '=', eb.fn.any('s.category_ids'))]),
    )
    .where((eb) => eb.or([eb('s.urgencies', '=', eb.val([])), eb(eb.val(job.urgency), '=', eb.fn.any('s.urgencies'))]))
    .where((eb) =>
      job.budget_max === null
        ? eb.lit(true)
        : eb.or([eb('s.max_budget', 'is', null), eb('s.max_budget', '>=', Number(job.budget_max))]),
    )
    .where((eb) =>
      eb.or([
        eb.and([eb('s.location_id', 'is', null), eb.or([eb('s.region', 'is', null), eb('s.region', '=', region)])]),
        eb('s.location_id', '=', job.location_id),
        eb('s.within_km', 'is not', null),
      ]),
    )
    .execute();
  const searched = {
    categoryId: job.category_id,
    locationId: job.location_id,
    budgetMax: job.budget_max === null ? null : Number(job.budget_max),
    urgency: job.urgency,
    title: job.title,
    description: job.description,
  };
  const people = new Set<string>();
  for (const search of found) {
    if (!people.has(search.userId) && matchesSearch(search, searched, (id) => places.get(id)))
      people.add(search.userId);
  }
  return [...people];
}
