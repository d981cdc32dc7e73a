import { Client } from 'pg';
import type { Database } from '../../sync-server/db/database.ts';
import { seedMany } from '../../sync-server/db/seed/seed-many.ts';

export const regionName = (at: number) => `Region ${String(at).padStart(3, '0')}`;

const townsEach = 10;
const samples = 1_000;
/** As `regionName`, of a number in SQL. */
const named = (number: string) => `'Region ' || lpad((${number})::text, 3, '0')`;

/**
 * Fills an empty database with active jobs in made-up regions of ten towns each. Their words are those of a thousand
 * jobs of `seedMany`. Written over a connection without time limits and without the triggers, which would queue a
 * million calls in one transaction; their change lines are written as the triggers would.
 */
export async function seedRegions(
  database: Database,
  url: string,
  { regions, jobsEach }: { regions: number; jobsEach: number },
): Promise<void> {
  await seedMany(database, { jobs: samples, tradies: 50 });
  // As many months, however many jobs.
  const age = `(n * interval '40 minutes' / ${regions})`;
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of [
      `set session_replication_role = replica`,
      `begin`,
      `create temp table sample on commit drop as select (row_number() over (order by id) - 1)::int as at, jobs.* from jobs`,
      `analyze sample`,
      `delete from sync_change where entity = 'jobs'`,
      `delete from jobs`,
      `insert into reference (id, kind, name, region, created_at)
       select ${named('r')} || '/' || t, 'location', 'Town ' || r || ' ' || t, ${named('r')}, now()
       from generate_series(0, ${regions - 1}) r, generate_series(0, ${townsEach - 1}) t`,
      `insert into jobs (id, user_id, title, description, location_id, budget_min, budget_max, urgency, category_id, status, images,
         interest_count, created_at)
       select uuidv7(-${age}), s.user_id, s.title || ' ' || n, s.description,
         ${named(`n % ${regions}`)} || '/' || (n / ${regions}) % ${townsEach},
         s.budget_min, s.budget_max, s.urgency, s.category_id, 'active', s.images, 0, date_trunc('milliseconds', now() - ${age})
       from generate_series(0, ${regions * jobsEach - 1}) n join sample s on s.at = n / ${regions} % ${samples}`,
      `insert into sync_change (entity, entity_id, audience, shelf, shelf_version, shelf_region, version, deleted, changed_at)
       select 'jobs', jobs.id::text, array[jobs.user_id], 'feed', v.version, town.region, v.version, false, now()
       from (select nextval('sync_version') as version) v, jobs join reference town on town.id = jobs.location_id`,
      `commit`,
      `vacuum analyze`,
    ])
      await client.query(statement);
  } finally {
    await client.end();
  }
}
