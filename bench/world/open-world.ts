import { openServer } from '../../e2e/open-server.ts';
import type { Credentials } from '../../e2e/person.ts';
import { createId } from '../../shared/lib/id.ts';
import type { Tradie, User } from '../../shared/tables/index.ts';
import { seededRandom } from '../../shared/testing/random-source.ts';
import type { Database } from '../../sync-server/db/database.ts';
import { openPostgres } from '../../sync-server/db/open-postgres.ts';
import { insertPeople } from '../../sync-server/db/seed/insert-rows.ts';
import type { ManyRows } from '../../sync-server/db/seed/many-rows.ts';
import { seedMany } from '../../sync-server/db/seed/seed-many.ts';
import { createEmbeddedAuth } from '../../sync-server/embedded/auth/embedded-auth.ts';
import { createLog } from '../../sync-server/lib/log.ts';
import type { Postgres } from './start-postgres.ts';

export interface Account extends Credentials {
  readonly userId: string;
}

/** The seeded marketplace, and the real server over it in a process of its own. */
export interface World {
  readonly jobs: number;
  readonly url: string;
  readonly databaseUrl: string;
  /** The same database, for writes past the server. */
  readonly database: Database;
  readonly rows: ManyRows;
  /** With a running subscription. */
  readonly tradie: Account;
  readonly homeowner: Account;
  readonly serverPid: number;
  close(): Promise<void>;
}

const tradies = 5_000;
const start = Date.UTC(2026, 9, 1);

export async function openWorld(postgres: Postgres, jobs: number): Promise<World> {
  const { url: databaseUrl } = await postgres.createDatabase();
  const database = await openPostgres({ url: databaseUrl });
  await database.migrate();
  const rows = await seedMany(database, { jobs, tradies });
  const { tradie, homeowner } = await addAccounts(database);
  const server = await openServer({ DATABASE_URL: databaseUrl, DEMO: '0', LOG_LEVEL: 'warn' });
  return {
    jobs,
    url: server.url,
    databaseUrl,
    database,
    rows,
    tradie,
    homeowner,
    serverPid: server.pid(),
    close: async () => {
      await server.close();
      await database.close();
    },
  };
}

/** Two people who can sign in; the seeded ones cannot. */
async function addAccounts(database: Database): Promise<{ tradie: Account; homeowner: Account }> {
  const random = seededRandom(77);
  const account = (name: string): Account => ({
    email: `bench-${name}@example.nz`,
    password: 'bench-password',
    userId: createId(start, random),
  });
  const [tradie, homeowner] = [account('tradie'), account('homeowner')];
  const auth = await createEmbeddedAuth({
    database,
    mailer: { send: async () => undefined },
    clock: () => new Date(),
    log: createLog('warn'),
    publicUrl: () => 'http://localhost',
  });
  for (const { email, password, userId: id } of [tradie, homeowner])
    await auth.createConfirmedUser({ email, password, id });
  const profile: Tradie = {
    id: createId(start, random),
    userId: tradie.userId,
    businessName: 'Bench Building',
    nzbn: '9429040402543',
    isVerified: true,
    logo: '',
    description: 'Decks and fences.',
    categoryIds: ['builder'],
    contactPersonFirstName: 'Tama',
    contactPersonLastName: 'Bench',
    businessAddress: '4 Cameron Street',
    email: tradie.email,
    contactPhone: '+64211234567',
    locationId: 'northland/whangarei',
    createdAt: new Date(start).toISOString(),
  };
  const person = ({ userId, email }: Account, more: Partial<User>): User => ({
    id: userId,
    email,
    firstName: 'Tama',
    lastName: 'Bench',
    tradieId: null,
    subscriptionStatus: null,
    subscriptionValidUntil: null,
    createdAt: profile.createdAt,
    ...more,
  });
  await database.transaction((tx) =>
    insertPeople(tx, {
      users: [person(tradie, { tradieId: profile.id, subscriptionStatus: 'active' }), person(homeowner, {})],
      tradies: [profile],
    }),
  );
  return { tradie, homeowner };
}
