import { makeTradie, makeUser } from '../../shared/testing/make.ts';
import type { Tradie, User } from '../../shared/tables/index.ts';
import type { Database } from '../../sync-server/db/database.ts';
import { openPostgres } from '../../sync-server/db/open-postgres.ts';
import { insertPeople } from '../../sync-server/db/seed/insert-rows.ts';
import { seedMany } from '../../sync-server/db/seed/seed-many.ts';
import { hostedEnvironment, tokenFor } from '../../simulate/stress/hosted-sign-in.ts';
import { openInstance, type Instance } from '../../simulate/stress/instance.ts';
import type { Fixture } from '../frame/fixture.ts';
import { inspectable } from './heap-inspector.ts';

/**
 * A server process with hosted sign-in, as in production, over a database of its own; and its people, with their
 * tokens.
 */
export interface ServerWorld {
  readonly server: Instance;
  readonly database: Database;
  /** With a running subscription. */
  readonly tradies: { id: string; token: string }[];
  readonly homeowners: { id: string; token: string }[];
}

/** `CPU_PROF_DIR`: the server writes a CPU profile there when it is stopped. */
export async function openServerWorld(fixture: Fixture, jobs: number, peopleOfEachKind = 200): Promise<ServerWorld> {
  const { url } = await (await fixture.postgres()).createDatabase();
  const database = await openPostgres({ url });
  await database.migrate();
  fixture.say(`seeding ${jobs.toLocaleString('en-NZ')} jobs`);
  await seedMany(database, { jobs, tradies: 5_000 });
  const users: User[] = [];
  const tradies: Tradie[] = [];
  for (let at = 0; at < peopleOfEachKind; at += 1) {
    const user = makeUser({ subscriptionStatus: 'active' });
    const tradie = makeTradie({ userId: user.id });
    users.push({ ...user, tradieId: tradie.id }, makeUser());
    tradies.push(tradie);
  }
  await database.transaction((sql) => insertPeople(sql, { users, tradies }));
  const profiled = process.env['CPU_PROF_DIR'];
  const server = await openInstance(
    { ...hostedEnvironment, DATABASE_URL: url, LOG_LEVEL: 'warn' },
    profiled === undefined ? inspectable : ['--cpu-prof', `--cpu-prof-dir=${profiled}`],
  );
  await server.start();
  fixture.onClose(async () => {
    await server.end('SIGTERM');
    await database.close();
  });
  const known = await Promise.all(
    users.map(async ({ id, tradieId }) => ({ id, token: await tokenFor(id), isTradie: tradieId !== null })),
  );
  return {
    server,
    database,
    tradies: known.filter(({ isTradie }) => isTradie),
    homeowners: known.filter(({ isTradie }) => !isTradie),
  };
}
