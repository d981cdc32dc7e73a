import { sql } from 'kysely';
import { makeJob, makeSearch, makeTradie, makeUser } from '../../shared/testing/make.ts';
import { seededRandom } from '../../shared/testing/random-source.ts';
import { matchJob } from '../../sync-server/alerts/match-job.ts';
import { recordAlerts } from '../../sync-server/alerts/record-alerts.ts';
import type { Database } from '../../sync-server/db/database.ts';
import { openPostgres } from '../../sync-server/db/open-postgres.ts';
import { insertMany, insertPeople } from '../../sync-server/db/seed/insert-rows.ts';
import { referenceRows } from '../../sync-server/db/seed/reference-rows.ts';
import { seedReference } from '../../sync-server/db/seed/seed-reference.ts';
import { measure } from '../frame/measure.ts';
import type { Workload } from '../frame/workload.ts';
import { cpuMs } from './process-cost.ts';

const searches = 50_000;
const tradiesHere = 10_000;
/**
 * A job's match is shorter than the tick in which Linux counts another process's time, so so many are taken together.
 */
const jobsARun = 40;

/** Milliseconds. */
interface Used {
  /** CPU of this process, which is the server here. */
  server: number;
  /** CPU of the database's processes for our connections. */
  postgres: number;
  wall: number;
}

/** Measures what a piece of work uses. The connections that there are now are those that it is measured on. */
async function usedBy(database: Database): Promise<(work: () => Promise<void>) => Promise<Used>> {
  const { rows } = await sql<{
    pid: number;
  }>`select pid from pg_stat_activity where datname = current_database() and backend_type = 'client backend'`.execute(
    database.sql,
  );
  const cpuOfPostgres = () => rows.reduce((sum, { pid }) => sum + cpuMs(pid), 0);
  return async (work) => {
    const [began, own, theirs] = [performance.now(), process.cpuUsage(), cpuOfPostgres()];
    await work();
    const { user, system } = process.cpuUsage(own);
    return {
      server: (user + system) / 1_000,
      postgres: cpuOfPostgres() - theirs,
      wall: performance.now() - began,
    };
  };
}

/** As tradies save them: a trade or three, near home or in their region, some with a budget, few with words. */
async function seed(database: Database): Promise<void> {
  await seedReference(database);
  const { below, pick } = seededRandom(11);
  const of = (kind: string) => referenceRows().filter((row) => row.kind === kind);
  const [trades, towns] = [of('category'), of('location')];
  const users = Array.from({ length: tradiesHere }, () => makeUser({ subscriptionStatus: 'active' }));
  const tradies = users.map(({ id }) => makeTradie({ userId: id }));
  await database.transaction((tx) =>
    insertPeople(tx, { users: users.map((user, at) => ({ ...user, tradieId: tradies[at]!.id })), tradies }),
  );
  const rows = Array.from({ length: searches }, (_, at) => {
    const town = pick(towns);
    const isNear = below(3) > 0;
    return makeSearch({
      userId: users[at % tradiesHere]!.id,
      categoryIds: Array.from({ length: 1 + below(3) }, () => pick(trades).id),
      region: isNear ? null : town.region,
      locationId: isNear ? town.id : null,
      withinKm: isNear && below(4) > 0 ? 10 * (1 + below(10)) : null,
      maxBudget: below(2) === 0 ? null : 500 * (1 + below(40)),
      urgencies: below(4) === 0 ? ['urgent'] : [],
      words: below(20) === 0 ? 'gate' : '',
    });
  });
  for (let from = 0; from < rows.length; from += 5_000)
    await database.transaction((tx) => insertMany(tx, 'searches', rows.slice(from, from + 5_000)));
  await sql`analyze`.execute(database.sql);
}

/** B17: one new job against 50,000 saved searches. */
export const matchSearches: Workload = {
  ids: ['B17'],
  async run(fixture) {
    const { url } = await (await fixture.postgres()).createDatabase();
    const database = await openPostgres({ url });
    fixture.onClose(() => database.close());
    await database.migrate();
    fixture.say(`saving ${searches.toLocaleString('en-NZ')} searches`);
    await seed(database);
    const owner = makeUser();
    await database.transaction((tx) => insertPeople(tx, { users: [owner], tradies: [] }));
    const towns = referenceRows().filter(({ kind }) => kind === 'location');
    const trades = referenceRows().filter(({ kind }) => kind === 'category');
    const jobs = Array.from({ length: jobsARun }, (_, at) =>
      makeJob({
        userId: owner.id,
        categoryId: trades[at % trades.length]!.id,
        locationId: towns[(at * 7) % towns.length]!.id,
        budgetMax: 100 * at,
        description: 'The gate sags.',
      }),
    );
    await database.transaction((tx) => insertMany(tx, 'jobs', jobs));
    const asked = await database.sql
      .selectFrom('jobs')
      .select(['id', 'user_id', 'category_id', 'location_id', 'budget_max', 'urgency', 'title', 'description'])
      .execute();
    const matching: Used[] = [];
    const recording: Used[] = [];
    const found: number[] = [];
    const used = await usedBy(database);
    // The first run is for the caches.
    for (let run = -1; run < fixture.runs; run += 1) {
      const people: string[][] = [];
      const matched = await used(async () => {
        for (const job of asked) people.push(await matchJob(database.sql, job, new Date()));
      });
      const recorded = await used(async () => {
        for (const [at, { id }] of asked.entries()) {
          const alerts = people[at]!.map((userId) => ({ userId, kind: 'job' as const, subjectId: id, jobId: id }));
          await recordAlerts(database, alerts, new Date());
        }
      });
      await sql`truncate alert, effect`.execute(database.sql);
      if (run < 0) continue;
      matching.push(matched);
      recording.push(recorded);
      found.push(people.reduce((sum, { length }) => sum + length, 0) / asked.length);
    }
    const each = (list: readonly Used[], of: (one: Used) => number) => list.map((one) => of(one) / asked.length);
    const both = ({ server, postgres }: Used) => server + postgres;
    return [
      measure({
        id: 'B17',
        name: 'CPU for one new job against 50,000 saved searches, server and PostgreSQL',
        unit: 'ms',
        runs: each(matching, both),
        target: { words: '<= 50 ms', max: 50 },
      }),
      measure({
        id: 'B17',
        name: '… of it the server process',
        unit: 'ms',
        runs: each(matching, ({ server }) => server),
      }),
      measure({ id: 'B17', name: '… wall clock', unit: 'ms', runs: each(matching, ({ wall }) => wall) }),
      measure({ id: 'B17', name: '… people it is for', unit: '', runs: found }),
      measure({
        id: 'B17',
        name: '… CPU to record that they are to be told, both',
        unit: 'ms',
        runs: each(recording, both),
      }),
    ];
  },
};
